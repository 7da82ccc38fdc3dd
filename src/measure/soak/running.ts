import type { Random } from '../random.js';
import type { SoakGitHub } from './github.js';
import type { Killer } from './killer.js';
import type { SoakOptions } from './options.js';
import type { Server } from './process.js';
import type { Story } from './story.js';
import type { Teller } from './teller.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** Everything that takes part. */
export interface Running {
  readonly options: SoakOptions;
  readonly github: SoakGitHub;
  readonly server: Server;
  readonly killer: Killer;
  readonly teller: Teller;
  readonly stories: readonly Story[];
  readonly random: Random;
  /** One line for whoever waits. */
  readonly say: (line: string) => void;
}
