import type { Answer } from './answer.js';

/** Parameters that hold slashes: GitHub takes branch names and paths as they are. */
const SPANNING = new Set(['path', 'ref', 'basehead', 'branch', 'name']);

interface Compiled<C> {
  readonly endpoint: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly literal: number;
  readonly answer: (call: C) => Answer;
}

export interface Match<C> {
  readonly endpoint: string;
  readonly params: Readonly<Record<string, string>>;
  readonly answer: (call: C) => Answer;
}

export interface Router<C> {
  match(method: string, path: string): Match<C> | undefined;
  readonly endpoints: readonly string[];
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const compile = <C>(endpoint: string, answer: (call: C) => Answer): Compiled<C> => {
  const [method = '', path = ''] = endpoint.split(' ');
  const names: string[] = [];
  const source = path
    .split(/(\{\w+\})/)
    .map((part) => {
      if (!/^\{\w+\}$/.test(part)) return escape(part);
      const name = part.slice(1, -1);
      names.push(name);
      if (name === 'path') return '(.*)';
      return SPANNING.has(name) ? '(.+)' : '([^/]+)';
    })
    .join('')
    // The root of `contents/{path}` comes without its slash: Octokit drops it.
    .replace(/\/\(\.\*\)$/, '(?:/(.*))?');
  const literal = path.replace(/\{\w+\}/g, '').length;
  return { endpoint, method, pattern: new RegExp(`^${source}/?$`), names, literal, answer };
};

/** All routes as one look-up. Where several fit, the one with most of its path spelled out answers. */
export const createRouter = <C>(
  groups: readonly Readonly<Record<string, (call: C) => Answer>>[],
): Router<C> => {
  const compiled = groups
    .flatMap((routes) => Object.entries(routes).map(([endpoint, answer]) => compile(endpoint, answer)))
    .sort((a, b) => b.literal - a.literal);
  return {
    endpoints: compiled.map((route) => route.endpoint),
    match: (method, path) => {
      for (const route of compiled) {
        const found = route.method === method ? route.pattern.exec(path) : null;
        if (found === null) continue;
        const params = Object.fromEntries(route.names.map((name, index) => [name, found[index + 1] ?? '']));
        return { endpoint: route.endpoint, params, answer: route.answer };
      }
      return undefined;
    },
  };
};
