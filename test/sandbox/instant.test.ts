import { describe, expect, test } from '@jest/globals';
import { CASE_START_MS, durationMs, instantOf, isAt } from '../../src/sandbox/instant.js';

const at = (text: string): string => new Date(instantOf(text, CASE_START_MS)).toISOString();

describe('when an event happens', () => {
  test('without at: at the same instant', () => {
    expect(instantOf(undefined, CASE_START_MS)).toBe(Date.parse('2026-11-30T09:00:00Z'));
  });
  test.each([
    ['+11s', '2026-11-30T09:00:11.000Z'],
    ['+1m', '2026-11-30T09:01:00.000Z'],
    ['+1h30m', '2026-11-30T10:30:00.000Z'],
    ['+1d', '2026-12-01T09:00:00.000Z'],
    ['22:16:21', '2026-11-30T22:16:21.000Z'],
    ['09:05', '2026-11-30T09:05:00.000Z'],
  ])('%s -> %s', (text, instant) => {
    expect(at(text)).toBe(instant);
  });
  test('a time of day before the event that precedes it is refused', () => {
    expect(() => at('08:59:59')).toThrow('only goes forward');
  });
  test('later than a case can last is refused', () => {
    expect(at('+36500d')).toBe('2126-11-06T09:00:00.000Z');
    expect(() => at('+36500d1ms')).toThrow('too far ahead');
    expect(() => at(`+${'9'.repeat(400)}d`)).toThrow('too far ahead');
  });
  test.each(['soon', '+', '11s', '25:00', '+1x', ''])('"%s" is no time', (text) => {
    expect(isAt(text)).toBe(false);
    expect(() => at(text)).toThrow('is no time');
  });
  test.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['250ms', 250],
    ['s', undefined],
    ['1.5h', undefined],
  ])('a duration of %s is %p ms', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });
});
