import { z } from 'zod';
import type { Context } from '../../decide/context.js';
import type { Client } from '../../github/client.js';
import { createSweepReader, type InstalledRepository } from '../../github/read-sweep.js';
import { createFacts } from '../../github/read-facts.js';
import type { Policy } from '../../policy/policy.js';
import type { Accepted, Arrival } from '../../store/inbox.js';
import type { Ledger } from '../../store/ledger.js';
import { contextUnder } from '../context-under.js';
import { type Desk, NOTHING } from '../deps.js';
import { policyInForce } from '../policy-in-force.js';
import { PutOff } from '../put-off.js';
import { activityState, sweepActivity } from './activity.js';
import { sweepHeads } from './heads.js';
import { type Place, placeOf, type Places } from './place.js';
import { sweepRuns } from './runs.js';
import { LOOK_BACK, ON_ITS_WAY } from './schedule.js';
import { arrivalOf, type Found } from './synthetic.js';
import { sweepTags, tagsPlaceOf } from './tags.js';

const STEPS = ['activity', 'tags', 'heads', 'runs'] as const;
type Step = (typeof STEPS)[number];

const repositoryPlace = z.object({
  /** The pass that last came to its end here, by when it began; null: none yet. Times are ISO 8601, UTC. */
  passedAt: z.string().nullable(),
  /** Pushes up to then were looked at. */
  coveredTo: z.string(),
  ...activityState.shape,
  /** A pass that is under way: when it began here, what it has done, and the heads it has looked at. */
  under: z
    .object({
      pass: z.string(),
      since: z.string(),
      done: z.array(z.enum(STEPS)),
      looked: z.array(z.string()),
    })
    .nullable(),
});
export type RepositoryState = z.infer<typeof repositoryPlace>;

export const repositoryPlaceOf = (store: Places, repository: number): Place<RepositoryState> =>
  placeOf(store, `sweep:repository:${repository}`, repositoryPlace);

export interface PassDeps {
  readonly store: Places;
  readonly repository: InstalledRepository;
  readonly installation: number;
  readonly desk: Desk;
  /** Asks no more than the pass may. */
  readonly client: Client;
  readonly accept: (arrival: Arrival) => Promise<Accepted>;
  readonly triggered: (name: string, action: string | null) => boolean;
  readonly now: () => number;
  readonly appId: number;
  readonly warn: (what: string) => void;
  /** When the pass began; ISO 8601, UTC. */
  readonly pass: string;
}

/**
 * Looks at one repository: acts that no webhook told, tags, heads without a check, runs. What is found is put into the
 * inbox and judged from there. Rejects where GitHub does not answer, or the pass has had its share: it then goes on where
 * it was. Where no policy is in force nothing is looked at, and nothing that was done before there was one.
 */
export async function sweepRepository(deps: PassDeps): Promise<void> {
  const { store, repository, pass } = deps;
  const place = repositoryPlaceOf(store, repository.id);
  const desk: Desk = {
    ...deps.desk,
    facts: createFacts({ client: deps.client, repository: deps.desk.repository, appId: deps.appId }),
  };
  const before = await place.read();
  const firstSeen = await policyFirstSeen(desk.ledger);
  const first = firstState(firstSeen, deps.now());
  // By a clock that was ahead it has looked at what is still to come.
  const ahead = before !== undefined && Date.parse(before.last.at) > deps.now();
  let state = before === undefined ? first : ahead ? { ...before, last: first.last } : before;
  const save = async (change: Partial<RepositoryState>): Promise<void> => {
    state = { ...state, ...change };
    await place.save(state);
  };
  const begun = before?.under?.pass === pass ? before.under : null;
  const since = begun?.since ?? isoAt(deps.now());
  // A pass that goes on has looked at the activity earlier: what was pushed in between is for the next one.
  const coveredTo = isoAt(Date.parse(since) - ON_ITS_WAY);
  const finish = (): Promise<void> => save({ passedAt: pass, coveredTo, under: null });

  const moved = before !== undefined && hasMoved(repository, before, deps.now());
  if (firstSeen === null && !moved) {
    await save({ last: { at: isoAt(deps.now()), id: null }, stack: [] });
    return finish();
  }
  const policy = await policyOf(desk, deps.warn);
  if (policy === null) {
    await tagsPlaceOf(store, repository.id).save(null);
    await save({ last: { at: isoAt(deps.now()), id: null }, stack: [] });
    return finish();
  }
  if (begun === null) await save({ under: { pass, since, done: [], looked: [] } });
  const steps = stepsOf(deps, desk, policy, () => state, save, since);
  for (const step of STEPS) {
    if (state.under?.done.includes(step) === true) continue;
    await steps[step]();
    await save({ under: { pass, since, looked: [], done: [...(state.under?.done ?? []), step] } });
  }
  return finish();
}

function stepsOf(
  deps: PassDeps,
  desk: Desk,
  policy: Policy,
  state: () => RepositoryState,
  save: (change: Partial<RepositoryState>) => Promise<void>,
  since: string,
): Readonly<Record<Step, () => Promise<void>>> {
  const { repository, installation, store, now, pass, triggered } = deps;
  const github = createSweepReader(deps.client, desk.repository);
  const context: Context = contextUnder(policy, desk);
  const accept = async (found: Found): Promise<void> => {
    await deps.accept(arrivalOf(found, { repository: desk.repository, installation }, isoAt(now())));
  };
  return {
    activity: () =>
      sweepActivity({
        desk,
        github,
        policy,
        accept,
        now,
        warn: deps.warn,
        place: {
          read: state,
          save,
        },
      }),
    tags: () =>
      sweepTags({
        repository: repository.id,
        github,
        ledger: desk.ledger,
        place: tagsPlaceOf(store, repository.id),
        accept,
        now: isoAt(now()),
      }),
    heads: () =>
      sweepHeads({
        desk,
        context,
        pass,
        looked: state().under?.looked ?? [],
        keep: (looked) =>
          save({ under: { pass, since, done: state().under?.done ?? [], looked: [...looked] } }),
        accept,
        now,
      }),
    runs: () => sweepRuns({ repository: repository.id, github, policy, triggered, accept }),
  };
}

/** The policy in force; null: none. Throws PutOff where GitHub gives no answer for now. */
async function policyOf(desk: Desk, warn: (what: string) => void): Promise<Policy | null> {
  const state = await policyInForce(desk, false);
  switch (state.kind) {
    case 'in-force':
      return state.policy;
    case 'absent':
      return null;
    case 'unreadable': {
      if (state.transient) throw new PutOff(state.why, NOTHING, state.retryAfter ?? null);
      const { owner, name } = desk.repository;
      warn(`the policy of ${owner}/${name} cannot be read: ${state.why}`);
      return null;
    }
  }
}

const isoAt = (ms: number): string => new Date(ms).toISOString();

/** When a version of the policy was first known here; null: none ever was. Milliseconds since 1970, UTC. */
async function policyFirstSeen(ledger: Ledger): Promise<number | null> {
  const versions = [...(await ledger.policies('repo')), ...(await ledger.policies('org'))];
  const seen = versions
    .filter(({ text }) => text !== '')
    .map(({ seenAt, since }) => Date.parse(seenAt ?? since));
  return seen.length === 0 ? null : Math.min(...seen);
}

/** A repository is looked at from when it was first heard of under a policy, and never further back than GitHub's own log. */
function firstState(firstSeen: number | null, now: number): RepositoryState {
  // GitHub's times have no parts of a second.
  const start = Math.floor(Math.max(Math.min(firstSeen ?? now, now), now - LOOK_BACK) / 1_000) * 1_000;
  return {
    passedAt: null,
    coveredTo: isoAt(start),
    last: { at: isoAt(start), id: null },
    stack: [],
    under: null,
  };
}

const hasMoved = ({ pushedAt }: InstalledRepository, before: RepositoryState, now: number): boolean => {
  const coveredTo = Date.parse(before.coveredTo);
  return pushedAt !== null && (Date.parse(pushedAt) > coveredTo || coveredTo > now);
};
