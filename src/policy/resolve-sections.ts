import { BUILT_IN } from './defaults.js';
import { milliseconds } from './duration.js';
import { fromPreset, plain, type Resolving, sayings } from './layers.js';
import type { Escalate, Limits, Remedies, Runs } from './policy.js';
import { addUp, settle } from './settle.js';
import * as strictness from './strictness.js';

export const resolveLimits = (at: Resolving): Limits => {
  const limit = (key: 'open-pulls' | 'pulls-per-hour' | 'merges-per-day', own: keyof Limits) =>
    settle<number | null>(
      sayings<number | null>(
        at,
        ['limits', key],
        ({ limits }) => {
          const value = limits?.[key];
          return value === 'unlimited' ? null : value;
        },
        fromPreset(at, (preset) => preset.limits[own]),
      ),
      BUILT_IN.limits[own],
      strictness.less,
      at.override,
    );
  return {
    openPulls: limit('open-pulls', 'openPulls'),
    pullsPerHour: limit('pulls-per-hour', 'pullsPerHour'),
    mergesPerDay: limit('merges-per-day', 'mergesPerDay'),
  };
};

export const resolveRuns = (at: Resolving): Runs => {
  const { runs: builtIn } = BUILT_IN;
  const length = (key: 'quiet' | 'max'): number =>
    plain<number | null>(
      at,
      ['runs', key],
      ({ runs }) => (runs?.[key] === undefined ? undefined : milliseconds(runs[key])),
      builtIn[key],
      strictness.less,
    ) ?? builtIn[key];
  return {
    workflows: addUp(
      sayings(at, ['runs', 'workflows'], ({ runs }) => runs?.workflows),
      builtIn.workflows,
      at.override,
    ).value,
    quiet: length('quiet'),
    max: length('max'),
    steps: plain(at, ['runs', 'steps'], ({ runs }) => runs?.steps, builtIn.steps, strictness.less),
    onStuck: plain(
      at,
      ['runs', 'on-stuck'],
      ({ runs }) => runs?.['on-stuck'],
      builtIn.onStuck,
      strictness.onStucks,
    ),
    ladder: plain<boolean>(
      at,
      ['runs', 'ladder'],
      ({ runs }) => runs?.ladder,
      builtIn.ladder,
      strictness.withoutLadder,
    ),
  };
};

export const resolveRemedies = (at: Resolving): Remedies => {
  const remedy = (
    key: 'restore-ruleset' | 'disarm-auto-merge' | 'backup-refs' | 'reopen-issue' | 'suspend',
  ): boolean => plain<boolean>(at, ['remedies', key], ({ remedies }) => remedies?.[key], true, strictness.on);
  return {
    restoreRuleset: remedy('restore-ruleset'),
    disarmAutoMerge: remedy('disarm-auto-merge'),
    backupRefs: remedy('backup-refs'),
    revertPull: plain(
      at,
      ['remedies', 'revert-pull'],
      ({ remedies }) => remedies?.['revert-pull'],
      'propose',
      strictness.reverts,
    ),
    reopenIssue: remedy('reopen-issue'),
    suspend: remedy('suspend'),
  };
};

export const resolveEscalate = (at: Resolving): Escalate => {
  const people = (key: 'labels' | 'assignees'): readonly string[] =>
    addUp(
      sayings(at, ['escalate', key], ({ escalate }) => escalate?.[key]),
      [],
      at.override,
    ).value;
  const one = (key: 'mention' | 'repository'): string | null =>
    plain<string | null>(
      at,
      ['escalate', key],
      ({ escalate }) => escalate?.[key],
      null,
      strictness.unordered,
    );
  return {
    labels: people('labels'),
    assignees: people('assignees'),
    mention: one('mention'),
    repository: one('repository'),
  };
};
