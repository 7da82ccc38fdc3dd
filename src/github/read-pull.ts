import { z } from 'zod';
import type { Repository } from '../acts/act.js';
import type { CommitFact, IssueFact, PullFact, ReviewFact } from '../decide/facts.js';
import type { Client } from './client.js';
import { RequestFailure } from './failure.js';
import * as shapes from './shapes.js';

/** GitHub lists at most 250 commits of a PR and says nothing about the rest. */
const PULL_COMMITS = 250;
/** 10,000 commits: a longer range counts as not comparable. */
const COMPARED_PAGES = 100;

type Found = z.infer<typeof shapes.pull>;

const asFact = ({ fact }: Found): PullFact => fact;

/** PRs, their commits and reviews, and issues. */
export const createPullReader = (client: Client, repository: Repository) => {
  const at = { owner: repository.owner, repo: repository.name };

  const pull = async (number: number): Promise<PullFact> =>
    asFact(
      await client.get(
        'GET /repos/{owner}/{repo}/pulls/{pull_number}',
        { ...at, pull_number: number },
        shapes.pull,
      ),
    );

  const list = (query: Readonly<Record<string, string>>): Promise<Found[]> =>
    client.list('GET /repos/{owner}/{repo}/pulls', { ...at, ...query }, shapes.pull);

  const compare = async (base: string, head: string): Promise<readonly CommitFact[] | null> => {
    try {
      return await client.list(
        'GET /repos/{owner}/{repo}/compare/{basehead}',
        { ...at, basehead: `${base}...${head}` },
        shapes.commit,
        'commits',
        COMPARED_PAGES,
      );
    } catch (error) {
      const none =
        error instanceof RequestFailure &&
        (error.status === 404 || error.status === 422 || error.known === 'too-long');
      if (none) return null;
      throw error;
    }
  };

  return {
    pull,
    compare,

    /** Oldest first, so that a PR opened while pages are read comes at the end and shifts nothing. */
    openPulls: async (): Promise<readonly PullFact[]> =>
      (await list({ state: 'open', sort: 'created', direction: 'asc' })).map(asFact),

    lastClosedPulls: async (): Promise<readonly PullFact[]> => {
      const found = await client.get(
        'GET /repos/{owner}/{repo}/pulls',
        { ...at, state: 'closed', sort: 'updated', direction: 'desc', per_page: 30 },
        z.array(shapes.pull),
      );
      return found.map(asFact);
    },

    pullsWithHead: async (ref: string): Promise<readonly PullFact[]> => {
      const found = await list({
        state: 'all',
        head: `${repository.owner}:${ref}`,
        sort: 'created',
        direction: 'desc',
      });
      // The same owner may hold a fork of another name with a branch of that name.
      return found.map(asFact).filter(({ head }) => head.ref === ref && head.repo?.id === repository.id);
    },

    openPullsWithBase: async (ref: string): Promise<readonly PullFact[]> => {
      const found = await list({ state: 'open', base: ref, sort: 'created', direction: 'asc' });
      return found.map(asFact).filter(({ base }) => base.ref === ref);
    },

    /** A commit GitHub does not know (422) belongs to no PR; a bare 404 is no answer and throws. */
    pullsOfCommit: async (sha: string): Promise<readonly PullFact[]> => {
      let found: Found[];
      try {
        found = await client.list(
          'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
          { ...at, commit_sha: sha },
          shapes.pull,
        );
      } catch (error) {
        if (error instanceof RequestFailure && error.status === 422) return [];
        throw error;
      }
      // A PR of another repository of the network may carry the commit too, under a number that is not ours.
      const ours = found
        .filter(({ baseRepositoryId }) => baseRepositoryId === null || baseRepositoryId === repository.id)
        .map(asFact);
      const merged = await Promise.all(ours.filter((one) => one.merged).map((one) => pull(one.number)));
      return [...merged, ...ours.filter((one) => !one.merged)];
    },

    commits: async (number: number): Promise<readonly CommitFact[]> => {
      const listed = await client.list(
        'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits',
        { ...at, pull_number: number },
        shapes.commit,
      );
      if (listed.length < PULL_COMMITS) return listed;
      const { base, head } = await pull(number);
      return (await compare(base.sha, head.sha)) ?? listed;
    },

    /** Submitted ones: a pending review is shown to nobody but its author. */
    reviews: async (number: number): Promise<readonly ReviewFact[]> => {
      const all = await client.list(
        'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
        { ...at, pull_number: number },
        shapes.review,
      );
      return all.filter(({ state }) => state !== 'pending');
    },

    issue: (number: number): Promise<IssueFact> =>
      client.get(
        'GET /repos/{owner}/{repo}/issues/{issue_number}',
        { ...at, issue_number: number },
        shapes.issue,
      ),
  };
};
