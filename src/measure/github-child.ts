import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ANSWER, type Answer, type Sample, type Told } from './messages.js';

type Of<T, K> = Omit<Extract<T, { kind: K }>, 'kind'>;

/** A GitHub of the sandbox in a process of its own. */
export interface GitHubChild {
  readonly url: string;
  samples(asked: Of<Told, 'samples'>): Promise<readonly Sample[]>;
  traffic(asked: Of<Told, 'traffic'>): Promise<Of<Answer, 'traffic'>>;
  stop(): Promise<void>;
}

const unexpected = ({ kind }: Answer): Error => new Error(`the process that plays GitHub answered "${kind}"`);

/** Starts it with so many repositories, all empty but for their policy. What is asked of it rejects with what went wrong there. */
export const startGitHub = async (repositories: number): Promise<GitHubChild> => {
  const child = fork(fileURLToPath(new URL('./github-process.js', import.meta.url)), [], { execArgv: [] });
  const exit = once(child, 'exit');
  const ask = async (told: Told): Promise<Answer> => {
    const answered = Promise.race([
      once(child, 'message').then(([message]) => ANSWER.parse(message)),
      exit.then(() => {
        throw new Error('the process that plays GitHub ended');
      }),
    ]);
    child.send(told);
    const answer = await answered;
    if (answer.kind === 'failed') throw new Error(`GitHub could not be played: ${answer.why}`);
    return answer;
  };
  const serving = await ask({ kind: 'serve', repositories });
  if (serving.kind !== 'serve') throw unexpected(serving);
  return {
    url: serving.url,
    async samples(asked) {
      const answer = await ask({ kind: 'samples', ...asked });
      if (answer.kind !== 'samples') throw unexpected(answer);
      return answer.samples;
    },
    async traffic(asked) {
      const answer = await ask({ kind: 'traffic', ...asked });
      if (answer.kind !== 'traffic') throw unexpected(answer);
      return answer;
    },
    async stop() {
      child.disconnect();
      await exit;
    },
  };
};
