import { createGitHub } from './app/github.js';
import type { Sandbox, SandboxOptions } from './sandbox.js';

/** A GitHub in memory with one repository, which holds the world of a case. */
export const createSandbox = (options: SandboxOptions): Sandbox => createGitHub(options).add(options);
