import { z } from 'zod';
import type { Account, Repository } from '../acts/act.js';
import type { ActivityFact } from '../decide/facts.js';
import type { Client } from './client.js';
import { RequestFailure } from './failure.js';
import * as shapes from './shapes.js';

/** Parameters that ask for one page of a list by cursor; none: the first. */
export type Query = Readonly<Record<string, string>>;

export interface Page<T> {
  /** Newest first. */
  readonly items: readonly T[];
  readonly next: Query | null;
}

/** One attempt of GitHub's to deliver a webhook of this App. */
export interface DeliveryAttempt {
  readonly id: number;
  /** The same for every attempt. */
  readonly guid: string;
  readonly at: string;
  readonly redelivery: boolean;
  readonly ok: boolean;
  readonly event: string;
  readonly action: string | null;
}

/** A repository as the list of an installation shows it. `pushedAt` null: nothing was ever pushed. */
export interface InstalledRepository extends Repository {
  readonly pushedAt: string | null;
  /** Archived or disabled: nothing can be done in it. */
  readonly closed: boolean;
}

/** `type` null: of a kind this version does not know. */
export interface ActivityRow extends Omit<ActivityFact, 'type'> {
  readonly id: number;
  readonly type: ActivityFact['type'] | null;
}

/** A run of a workflow, with who started this attempt of it. */
export interface RunInProgress {
  readonly id: number;
  readonly attempt: number;
  readonly name: string | null;
  readonly path: string;
  readonly branch: string | null;
  readonly sha: string;
  readonly event: string;
  readonly actor: Account | null;
  readonly startedAt: string;
}

interface TouchedPaths {
  readonly sha: string;
  readonly paths: readonly string[];
}

const attempt = z
  .object({
    id: z.number(),
    guid: z.string(),
    delivered_at: z.string(),
    redelivery: z.boolean(),
    status: z.string(),
    event: z.string(),
    action: z.string().nullish(),
  })
  .transform(({ delivered_at: at, status, action, ...raw }): DeliveryAttempt => ({
    ...raw,
    at,
    // The filter by status leaves out what got no answer at all; only this word says that one arrived.
    ok: status === 'OK',
    action: action ?? null,
  }));

const installation = z.object({ id: z.number(), suspended_at: z.string().nullish() });

const installed = z
  .object({
    id: z.number(),
    name: z.string(),
    private: z.boolean(),
    default_branch: z.string(),
    archived: z.boolean().optional(),
    disabled: z.boolean().optional(),
    pushed_at: z.string().nullish(),
    owner: z.object({ login: z.string(), type: z.string().optional() }),
  })
  .transform((raw): InstalledRepository => ({
    id: raw.id,
    owner: raw.owner.login,
    ownerType: raw.owner.type === 'Organization' ? 'Organization' : 'User',
    name: raw.name,
    defaultBranch: raw.default_branch,
    private: raw.private,
    pushedAt: raw.pushed_at ?? null,
    closed: raw.archived === true || raw.disabled === true,
  }));

const ref = z.object({ ref: z.string(), object: z.object({ sha: z.string() }) });

const run = z
  .object({
    id: z.number(),
    run_attempt: z.number().optional(),
    name: z.string().nullish(),
    path: z.string(),
    head_branch: z.string().nullish(),
    head_sha: z.string(),
    event: z.string(),
    actor: shapes.maybeAccount,
    triggering_actor: shapes.maybeAccount,
    run_started_at: z.string().optional(),
    created_at: z.string(),
  })
  .transform((raw): RunInProgress => ({
    id: raw.id,
    attempt: raw.run_attempt ?? 1,
    name: raw.name ?? null,
    path: raw.path,
    branch: raw.head_branch ?? null,
    sha: raw.head_sha,
    event: raw.event,
    actor: raw.triggering_actor ?? raw.actor,
    startedAt: raw.run_started_at ?? raw.created_at,
  }));

const filesOfCommit = z.object({
  files: z.array(z.object({ filename: z.string(), previous_filename: z.string().optional() })).optional(),
});

/** Pages of a comparison that are read: 300 commits. */
const COMPARED_PAGES = 3;

/** What the App itself is told: its deliveries and installations. `client` is the App's own. */
export const createAppReader = (client: Client) => ({
  deliveries: async (query: Query): Promise<Page<DeliveryAttempt>> =>
    client.page('GET /app/hook/deliveries', query, attempt),

  /** Asks GitHub to deliver once more, under the same GUID. */
  redeliver: async (id: number): Promise<void> => {
    const route = 'POST /app/hook/deliveries/{delivery_id}/attempts';
    await client.write(route, { delivery_id: id }, z.unknown(), 'once');
  },

  /** Ids of the installations that are not suspended. */
  installations: async (): Promise<readonly number[]> => {
    const all = await client.list('GET /app/installations', {}, installation);
    return all.filter(({ suspended_at: suspended }) => suspended == null).map(({ id }) => id);
  },
});

/** All repositories of an installation: one request for a hundred. `client` is the installation's. */
export const installedRepositories = (client: Client): Promise<readonly InstalledRepository[]> =>
  client.list('GET /installation/repositories', {}, installed, 'repositories');

/** What a sweep asks of one repository, beside its facts. */
export const createSweepReader = (client: Client, repository: Repository) => {
  const at = { owner: repository.owner, repo: repository.name };
  return {
    activity: async (query: Query): Promise<Page<ActivityRow>> =>
      client.page('GET /repos/{owner}/{repo}/activity', { ...at, ...query }, shapes.activityWithId),

    /** Tag → what it points at: a commit, or the tag object of an annotated one. */
    tags: async (): Promise<ReadonlyMap<string, string>> => {
      const route = 'GET /repos/{owner}/{repo}/git/matching-refs/{ref}';
      const refs = await client.list(route, { ...at, ref: 'tags' }, ref);
      return new Map(
        refs
          .filter((one) => one.ref.startsWith('refs/tags/'))
          .map((one) => [one.ref.slice('refs/tags/'.length), one.object.sha]),
      );
    },

    runsInProgress: async (): Promise<readonly RunInProgress[]> =>
      client.list(
        'GET /repos/{owner}/{repo}/actions/runs',
        { ...at, status: 'in_progress' },
        run,
        'workflow_runs',
      ),

    /** Commits of `head` that are not in `base`, at most 300; null: more, or GitHub cannot compare them. */
    commitsBetween: async (base: string, head: string) => {
      try {
        const basehead = `${base}...${head}`;
        const route = 'GET /repos/{owner}/{repo}/compare/{basehead}';
        return await client.list(route, { ...at, basehead }, shapes.commit, 'commits', COMPARED_PAGES);
      } catch (error) {
        const none =
          error instanceof RequestFailure &&
          (error.status === 404 || error.status === 422 || error.known === 'too-long');
        if (none) return null;
        throw error;
      }
    },

    /** The hundred newest commits of `head` that touched something under `path`. */
    touching: async (head: string, path: string): Promise<readonly string[]> => {
      const found = await client.get(
        'GET /repos/{owner}/{repo}/commits',
        { ...at, sha: head, path, per_page: 100 },
        z.array(z.object({ sha: z.string() })),
      );
      return found.map(({ sha }) => sha);
    },

    /** The paths one commit touched, both names of a renamed file; the first 300 files by name. */
    pathsOf: async (sha: string): Promise<TouchedPaths> => {
      const { files } = await client.get(
        'GET /repos/{owner}/{repo}/commits/{ref}',
        { ...at, ref: sha },
        filesOfCommit,
        'forever',
      );
      const paths = (files ?? []).flatMap(({ filename, previous_filename: before }) =>
        before === undefined ? [filename] : [filename, before],
      );
      return { sha, paths };
    },
  };
};

export type SweepReader = ReturnType<typeof createSweepReader>;
export type AppReader = ReturnType<typeof createAppReader>;
