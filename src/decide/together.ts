import type { Effect } from './effects.js';

type CommentEffect = Extract<Effect, { kind: 'comment' }>;

/** One delivery edits a comment once: what its rules have to say of one PR or issue is put together. */
export function together(effects: readonly Effect[]): readonly Effect[] {
  const comments = new Map<number, CommentEffect>();
  const others: Effect[] = [];
  for (const effect of effects) {
    if (effect.kind !== 'comment') {
      others.push(effect);
      continue;
    }
    const before = comments.get(effect.number);
    comments.set(effect.number, before === undefined ? effect : joined(before, effect));
  }
  return [...others, ...comments.values()];
}

function joined(before: CommentEffect, after: CommentEffect): CommentEffect {
  const add = [...(before.add ?? []), ...(after.add ?? [])];
  const standing = after.standing ?? before.standing;
  return {
    kind: 'comment',
    number: after.number,
    about: after.about,
    ...(add.length === 0 ? {} : { add }),
    ...(standing === undefined ? {} : { standing }),
  };
}
