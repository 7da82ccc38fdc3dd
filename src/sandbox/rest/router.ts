import { NAME, OWNER } from '../state.js';
import type { Answer, Call, Routes } from './answer.js';

/** Parameters that hold slashes: GitHub takes branch names and paths as they are. */
const SPANNING = new Set(['path', 'ref', 'basehead', 'branch', 'name']);

interface Compiled {
  readonly endpoint: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly literal: number;
  readonly answer: (call: Call) => Answer;
}

export interface Match {
  readonly endpoint: string;
  readonly params: Readonly<Record<string, string>>;
  readonly answer: (call: Call) => Answer;
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const compile = (endpoint: string, answer: (call: Call) => Answer): Compiled => {
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
export const createRouter = (
  groups: readonly Routes[],
): { match(method: string, path: string): Match | undefined; readonly endpoints: readonly string[] } => {
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

/** Which repository a request is about; `elsewhere` is none of this world. */
export const repositoryOf = (
  params: Readonly<Record<string, string>>,
): 'none' | 'ours' | 'org' | 'elsewhere' => {
  const { owner, repo } = params;
  if (owner === undefined || repo === undefined) return 'none';
  if (owner.toLowerCase() !== OWNER) return 'elsewhere';
  if (repo.toLowerCase() === NAME) return 'ours';
  return repo.toLowerCase() === '.github' ? 'org' : 'elsewhere';
};
