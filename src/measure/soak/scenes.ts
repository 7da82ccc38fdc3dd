import { type Books, branchOf, type StoryPull } from './books.js';
import { type Actor, APPROVER, HONEST, MERGER, PEOPLE } from './cast.js';
import { findable, type Moment, type Scene, tell, type ToldAct, toldOnly, until } from './moment.js';

/*
 * What goes well: people do what they like, agents what the policy lets them. Nothing of ours may follow but checks.
 */

export interface Hand {
  /** Login, as the sandbox knows it. */
  readonly by: string;
  /** How the act log tells what it may do. */
  readonly verdict: 'allow' | 'person';
}

export const personOf = (books: Books): Hand => ({ by: books.random.pick(PEOPLE), verdict: 'person' });
export const agentHand = ({ login }: Actor): Hand => ({ by: login, verdict: 'allow' });

const noted = (books: Books, act: ToldAct): ToldAct => {
  books.acts.push(act);
  return act;
};

/** A new branch with its first commit, and after it as many pushes as asked for. Gives the short sha of its tip. */
export function* branch(
  books: Books,
  ref: string,
  by: string,
  pushes: number,
): Generator<Moment, string, void> {
  let tip = books.commit();
  const commit = () => ({ sha: tip, author: by, added: [`src/${tip}.ts`] });
  yield findable(tell('push', { by, ref, created: true, after: tip, commits: [commit()] }));
  for (let count = 0; count < pushes; count += 1) {
    tip = books.commit();
    yield findable(tell('push', { by, ref, after: tip, commits: [commit()] }));
  }
  return tip;
}

/** A branch pushed and its PR opened. */
export function* opened(books: Books, { by, verdict }: Hand): Generator<Moment, StoryPull, void> {
  const number = books.number();
  const ref = branchOf({ number });
  const pull: StoryPull = {
    number,
    author: by,
    head: ref,
    state: 'open',
    approved: null,
    pushers: new Set(),
  };
  const commit = { sha: ref, author: by, added: [`src/${ref}.ts`] };
  yield findable(tell('push', { by, ref, created: true, after: ref, commits: [commit] }));
  books.pulls.set(number, pull);
  const act = noted(books, { kind: 'pull.open', verdict, pull: number });
  yield findable(tell('pull_request.opened', { by, pull: number, sha: ref }, act));
  return pull;
}

export function* synchronized(books: Books, pull: StoryPull, by: string): Generator<Moment, void, void> {
  const ref = branchOf(pull);
  const after = books.commit();
  pull.head = after;
  const commit = { sha: after, author: by, added: [`src/${after}.ts`] };
  yield findable(
    tell('push', { by, ref, after, commits: [commit] }),
    tell('pull_request.synchronize', { by, pull: pull.number, sha: after }),
  );
}

/** The two webhooks of one merge; `about` is what they tell. */
export function* landed(
  books: Books,
  pull: StoryPull,
  by: string,
  about: (after: string) => ToldAct | Parameters<typeof tell>[2],
): Generator<Moment, void, void> {
  const before = books.trunk;
  const after = books.commit();
  const told = about(books.sha(after));
  books.trunk = after;
  pull.state = 'closed';
  yield findable(
    tell(
      'pull_request.closed',
      { by, pull: pull.number, merged: after },
      ...(told === undefined ? [] : [told]),
    ),
    tell('push', { by, ref: 'main', before, after }, ...(told === undefined ? [] : [told])),
  );
}

const merged = (books: Books, pull: StoryPull, { by, verdict }: Hand): Generator<Moment, void, void> =>
  landed(books, pull, by, (after) => noted(books, { kind: 'pull.merge', verdict, pull: pull.number, after }));

/** The two webhooks of a branch that goes, by somebody who may remove it. */
export function* removed(books: Books, ref: string, { by, verdict }: Hand): Generator<Moment, void, void> {
  const act = noted(books, { kind: 'branch.delete', verdict, ref });
  yield findable(
    tell('delete', { by, ref, ref_type: 'branch' }, act),
    tell('push', { by, ref, deleted: true }, act),
  );
}

/** Side branches take most pushes, and nobody has to do anything about them. */
export function* flood(books: Books): Scene {
  const { random } = books;
  const by = random.chance(0.5) ? random.pick(PEOPLE) : random.pick(HONEST).login;
  yield* branch(books, books.fresh('work/'), by, 8 + random.below(16));
}

export function* personsPull(books: Books): Scene {
  const { random } = books;
  const person = personOf(books);
  const pull = yield* opened(books, person);
  for (let count = random.below(3); count > 0; count -= 1) yield* synchronized(books, pull, person.by);
  if (random.chance(0.4)) return;
  yield* merged(books, pull, personOf(books));
  if (random.chance(0.7)) yield* removed(books, branchOf(pull), person);
}

export function* agentsPull(books: Books): Scene {
  const { random } = books;
  const agent = agentHand(random.pick(HONEST));
  const pull = yield* opened(books, agent);
  for (let count = random.below(3); count > 0; count -= 1) yield* synchronized(books, pull, agent.by);
  if (random.chance(0.3)) return;
  pull.approved = pull.head;
  const act = noted(books, { kind: 'review.approve', verdict: 'person', pull: pull.number });
  yield toldOnly(
    tell(
      'pull_request_review.submitted',
      { by: APPROVER, pull: pull.number, state: 'approved', sha: pull.head },
      act,
    ),
  );
  if (random.chance(0.4)) return;
  yield* merged(books, pull, personOf(books));
  if (random.chance(0.7)) yield* removed(books, branchOf(pull), agent);
}

/** An agent that may merge waits for our check, and merges. */
export function* permittedMerge(books: Books): Scene {
  const agent = agentHand(MERGER);
  const pull = yield* opened(books, agent);
  yield until(() => books.passed(pull.head));
  yield* merged(books, pull, agent);
  yield* removed(books, branchOf(pull), agent);
}

/** What an agent alone made it may rewrite and remove. */
export function* ownBranch(books: Books): Scene {
  const { random } = books;
  const agent = agentHand(random.pick(HONEST));
  const ref = books.fresh('own/');
  let tip = yield* branch(books, ref, agent.by, random.below(3));
  for (let count = 1 + random.below(2); count > 0; count -= 1) {
    const before = books.sha(tip);
    tip = books.commit();
    const act = noted(books, {
      kind: 'push.force',
      verdict: 'allow',
      ref,
      before,
      after: books.sha(tip),
    });
    const commits = [{ sha: tip, author: agent.by, added: [`src/${tip}.ts`] }];
    yield findable(tell('push', { by: agent.by, ref, forced: true, after: tip, commits }, act));
  }
  if (random.chance(0.6)) yield* removed(books, ref, agent);
}
