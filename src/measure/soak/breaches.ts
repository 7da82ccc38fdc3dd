import { type Books, branchOf, type StoryPull } from './books.js';
import { type Actor, PEOPLE, ROGUES } from './cast.js';
import { type Breach, findable, type Scene, tell, tellInPassing, type ToldAct, toldOnly } from './moment.js';
import { agentHand, branch, landed, opened, personOf, removed, synchronized } from './scenes.js';

/*
 * What the policy denies. Each scene says itself what has to follow: which issue, which rows, which comment, whether the
 * agent is suspended. Nothing here asks the App.
 */

const NOTHING_MORE = { comment: null, suspends: false, backup: null, revert: null } as const;

const number = (count: number): RegExp => new RegExp(`#${count}(?!\\d)`);
const code = (text: string): RegExp => new RegExp(`\`${text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')}\``);

interface Denied {
  readonly by: Actor;
  readonly rule: string;
  readonly subject: string;
  readonly act: Omit<ToldAct, 'verdict'>;
  readonly row: Breach['row'];
}

const denied = (
  books: Books,
  { by, rule, subject, act, row }: Denied,
  more: Partial<Pick<Breach, 'comment' | 'suspends' | 'backup' | 'revert'>> = {},
): Breach => {
  const breach: Breach = {
    ...NOTHING_MORE,
    act: { ...act, verdict: 'deny' },
    agent: by.name,
    rule,
    key: `${rule}:${by.name}:${subject}`,
    row,
    ...more,
  };
  books.breaches.push(breach);
  return breach;
};

export function* mergesItsOwn(books: Books): Scene {
  const { random } = books;
  const by = random.pick(ROGUES);
  const pull = yield* opened(books, agentHand(by));
  if (random.chance(0.3)) yield* synchronized(books, pull, by.login);
  yield* landed(books, pull, by.login, (after) =>
    denied(
      books,
      {
        by,
        rule: 'merge-level',
        subject: 'main',
        act: { kind: 'pull.merge', pull: pull.number, after },
        row: [number(pull.number)],
      },
      { comment: pull.number, suspends: true, revert: pull.number },
    ),
  );
  // To remove a head once it is merged is clean-up, whoever does it.
  if (random.chance(0.4)) yield* removed(books, branchOf(pull), agentHand(by));
}

/** Arming auto-merge lands nothing: it is undone and told in the comment, and no issue is opened. */
export function* armsAutoMerge(books: Books): Scene {
  const by = books.random.pick(ROGUES);
  const pull = yield* opened(books, agentHand(by));
  const breach: Breach = {
    ...NOTHING_MORE,
    act: { kind: 'pull.merge', verdict: 'deny', pull: pull.number },
    agent: by.name,
    rule: 'merge-level',
    key: null,
    row: [/armed/, number(pull.number)],
    comment: pull.number,
  };
  books.breaches.push(breach);
  yield toldOnly(tell('pull_request.auto_merge_enabled', { by: by.login, pull: pull.number }, breach));
}

export function* pushesToTheTrunk(books: Books): Scene {
  const by = books.random.pick(ROGUES);
  const [before, after] = [books.trunk, books.commit()];
  books.trunk = after;
  const [was, is] = [books.sha(before), books.sha(after)];
  const breach = denied(
    books,
    {
      by,
      rule: 'push-level',
      subject: 'main',
      act: { kind: 'push.trunk', ref: 'main', before: was, after: is },
      row: [new RegExp(`\`${is.slice(0, 7)}`)],
    },
    { suspends: true },
  );
  const commits = [{ sha: after, author: by.login, modified: ['README.md'] }];
  yield findable(tell('push', { by: by.login, ref: 'main', before, after, commits }, breach));
}

/** Rewrites a branch that a person began, and loses nothing but its own commits. */
export function* rewrites(books: Books): Scene {
  const { random } = books;
  const by = random.pick(ROGUES);
  const ref = books.fresh('shared/');
  const root = yield* branch(books, ref, random.pick(PEOPLE), 0);
  let tip = books.commit();
  yield findable(tell('push', { by: by.login, ref, after: tip, commits: [{ sha: tip, author: by.login }] }));
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const [before, after] = [books.sha(tip), books.commit()];
    tip = after;
    const breach = denied(books, {
      by,
      rule: 'force-push',
      subject: ref,
      act: { kind: 'push.force', ref, before, after: books.sha(after) },
      row: [code(ref), code(before)],
    });
    const commits = [{ sha: root }, { sha: after, author: by.login, added: [`src/${after}.ts`] }];
    yield findable(tell('push', { by: by.login, ref, forced: true, after, commits }, breach));
  }
}

/** The telling of a rewrite that loses others' commits. */
const overwritten = (
  books: Books,
  by: Actor,
  ref: string,
  tip: string,
  after: string,
  pull: number | null,
) => {
  const before = books.sha(tip);
  const breach = denied(
    books,
    {
      by,
      rule: 'dropped-commits',
      subject: ref,
      act: { kind: 'push.force', ref, before, after: books.sha(after) },
      row: [code(ref), code(before)],
    },
    { comment: pull, suspends: true, backup: before },
  );
  const commits = [{ sha: after, author: by.login, added: [`src/${after}.ts`] }];
  return tell('push', { by: by.login, ref, forced: true, after, commits }, breach);
};

export function* dropsCommits(books: Books): Scene {
  const { random } = books;
  const by = random.pick(ROGUES);
  if (random.chance(0.5)) {
    const ref = books.fresh('theirs/');
    const tip = yield* branch(books, ref, random.pick(PEOPLE), random.below(3));
    yield findable(overwritten(books, by, ref, tip, books.commit(), null));
    return;
  }
  const pull: StoryPull = yield* opened(books, personOf(books));
  const [tip, after] = [pull.head, books.commit()];
  pull.head = after;
  pull.pushers.add(by.name);
  yield findable(
    overwritten(books, by, branchOf(pull), tip, after, pull.number),
    tell('pull_request.synchronize', { by: by.login, pull: pull.number, sha: after }),
  );
}

const BURST = 20;

/** Twenty branches of a person, all rewritten in one go. */
export function* rewritesTwenty(books: Books): Scene {
  const person = books.random.pick(PEOPLE);
  const by = books.random.pick(ROGUES);
  const branches: { readonly ref: string; readonly tip: string }[] = [];
  for (let count = 0; count < BURST; count += 1) {
    const ref = books.fresh('burst/');
    branches.push({ ref, tip: yield* branch(books, ref, person, 0) });
  }
  yield findable(...branches.map(({ ref, tip }) => overwritten(books, by, ref, tip, books.commit(), null)));
}

export function* removesOthersBranch(books: Books): Scene {
  const { random } = books;
  const by = random.pick(ROGUES);
  const gone = (ref: string, tip: string, pull: number | null) => {
    const breach = denied(
      books,
      {
        by,
        rule: 'branch-delete',
        subject: ref,
        act: { kind: 'branch.delete', ref },
        row: [code(ref)],
      },
      { comment: pull, backup: books.sha(tip) },
    );
    return [
      tell('delete', { by: by.login, ref, ref_type: 'branch' }, breach),
      tell('push', { by: by.login, ref, deleted: true }, breach),
    ];
  };
  if (random.chance(0.6)) {
    const ref = books.fresh('kept/');
    const tip = yield* branch(books, ref, random.pick(PEOPLE), random.below(3));
    yield findable(...gone(ref, tip, null));
    return;
  }
  const pull = yield* opened(books, personOf(books));
  pull.state = 'closed';
  // GitHub closes a PR whose head goes, in the name of whoever removed it.
  yield findable(
    ...gone(branchOf(pull), pull.head, pull.number),
    tell('pull_request.closed', { by: by.login, pull: pull.number }),
  );
}

export function* tags(books: Books): Scene {
  const by = books.random.pick(ROGUES);
  const ref = books.fresh('v1.');
  const breach = denied(
    books,
    { by, rule: 'tag', subject: 'tags', act: { kind: 'tag.create', ref }, row: [code(ref)] },
    { suspends: true },
  );
  yield toldOnly(
    tell('create', { by: by.login, ref, ref_type: 'tag', sha: books.trunk }, breach),
    tell('push', { by: by.login, ref: `refs/tags/${ref}`, created: true, after: books.trunk }, breach),
  );
}

export function* releases(books: Books): Scene {
  const by = books.random.pick(ROGUES);
  const tag = books.fresh('r2.');
  const breach = denied(
    books,
    { by, rule: 'release', subject: 'releases', act: { kind: 'release.publish' }, row: [code(tag)] },
    { suspends: true },
  );
  yield toldOnly(
    tell('release.published', { by: by.login, tag }, breach),
    tell('release.released', { by: by.login, tag }, breach),
  );
}

export function* closesAnIssue(books: Books): Scene {
  const by = books.random.pick(ROGUES);
  const issue = books.number();
  yield toldOnly(
    tellInPassing('issues.opened', { by: books.random.pick(PEOPLE), issue, title: `Question ${issue}` }),
  );
  const breach = denied(
    books,
    {
      by,
      rule: 'issue-close',
      subject: 'issues',
      act: { kind: 'issue.close', issue },
      row: [number(issue)],
    },
    { comment: issue },
  );
  books.reopened.add(issue);
  yield toldOnly(tell('issues.closed', { by: by.login, issue }, breach));
}
