import { z } from 'zod';
import type { Repository } from '../acts/act.js';
import type { Client } from './client.js';
import type { Facts, Read } from './facts.js';
import { RequestFailure, unreadable } from './failure.js';
import { createContentsReader } from './read-contents.js';
import { createFilesReader } from './read-files.js';
import { createLandingsReader } from './read-landings.js';
import { createPeopleReader } from './read-people.js';
import { createPullReader } from './read-pull.js';
import * as shapes from './shapes.js';

export interface FactsDeps {
  readonly client: Client;
  readonly repository: Repository;
  /** Our App's id: only its check runs are ours. */
  readonly appId: number;
}

/** The one check's name. */
export const CHECK_NAME = 'agent-policy';
const OUR_RULESETS = ['agent-policy/gates', 'agent-policy/actors'];

/** Facts of one repository as GitHub tells them now. */
export const createFacts = ({ client, repository, appId }: FactsDeps): Facts => {
  const at = { owner: repository.owner, repo: repository.name };
  const pulls = createPullReader(client, repository);
  const { files } = createFilesReader(client, repository);

  const activity: Facts['activity'] = (ref) =>
    client.get(
      'GET /repos/{owner}/{repo}/activity',
      { ...at, ref: ref.startsWith('refs/') ? ref : `refs/heads/${ref}`, per_page: 100 },
      shapes.activity,
    );

  return {
    ...pulls,
    ...createContentsReader(client, repository),
    ...createPeopleReader(client, repository),
    ...createLandingsReader(client, repository, { pullsOfCommit: pulls.pullsOfCommit, activity }),
    activity,

    files: (pull, headSha, expected) =>
      files(pull, headSha, expected, async () => (await pulls.pull(pull)).changedFiles),

    async tree(sha) {
      const commit = await client.get(
        'GET /repos/{owner}/{repo}/git/commits/{commit_sha}',
        { ...at, commit_sha: sha },
        z.object({ tree: z.object({ sha: z.string() }) }),
        'forever',
      );
      return commit.tree.sha;
    },

    async closing(issue) {
      const events = await client.list(
        'GET /repos/{owner}/{repo}/issues/{issue_number}/timeline',
        { ...at, issue_number: issue },
        shapes.timelineEvent,
      );
      const last = events.filter(({ event }) => event === 'closed').at(-1);
      return last?.actor == null || last.created_at == null
        ? null
        : { by: last.actor, at: last.created_at, byHand: last.commit_id === null && last.app === null };
    },

    /** Both, and in force: with one of them missing GitHub lets something through that the texts would call refused. */
    async hasOurRulesets(): Promise<Read<boolean>> {
      try {
        const all = await client.list(
          'GET /repos/{owner}/{repo}/rulesets',
          { ...at, includes_parents: false },
          z.object({ name: z.string(), enforcement: z.string() }),
        );
        const value = OUR_RULESETS.every((name) =>
          all.some((ruleset) => ruleset.name === name && ruleset.enforcement === 'active'),
        );
        return { kind: 'found', value };
      } catch (error) {
        return unreadable(error);
      }
    },

    async ourCheck(sha) {
      try {
        const runs = await client.list(
          'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
          { ...at, ref: sha, check_name: CHECK_NAME, filter: 'latest', app_id: appId },
          shapes.checkRun,
          'check_runs',
        );
        const [latest] = runs
          .filter((run) => run.app?.id === appId && run.status === 'completed')
          .sort((a, b) => b.id - a.id);
        return latest?.conclusion ? { conclusion: latest.conclusion, id: latest.id } : null;
      } catch (error) {
        if (error instanceof RequestFailure && error.status === 422) return null;
        throw error;
      }
    },
  };
};
