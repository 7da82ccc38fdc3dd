import type { Answer, Told } from './messages.js';
import { TOLD } from './messages.js';
import { playGitHub, type PlayedGitHub } from './played-github.js';
import { samplesOf } from './samples.js';
import { createTraffic } from './traffic.js';

/*
 * The GitHub beside a measured server, in a process of its own, so that neither waits for the other. It does what its
 * parent tells it, one thing after another, and ends with it.
 */

let github: PlayedGitHub | null = null;
let traffic: ReturnType<typeof createTraffic> | null = null;

const served = (): PlayedGitHub => {
  if (github === null) throw new Error('nothing is served yet');
  return github;
};

const perform = async (told: Told): Promise<Answer> => {
  switch (told.kind) {
    case 'serve':
      github = await playGitHub(told.repositories);
      return { kind: 'serve', url: github.url };
    case 'samples':
      return { kind: 'samples', samples: [...samplesOf(served().repositories, told)] };
    case 'traffic':
      traffic ??= createTraffic(served());
      return traffic(told);
  }
};

process.on('message', (message) => {
  void perform(TOLD.parse(message))
    .catch((error: unknown): Answer => ({
      kind: 'failed',
      why: error instanceof Error ? error.message : 'unknown',
    }))
    .then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit(0));
