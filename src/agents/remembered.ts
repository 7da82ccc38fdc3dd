import { catalogueEntries } from './catalogue.js';
import type { AttributedAgent, Evidence } from './identity.js';
import { agentOfApp, agentOfId, agentOfLogin } from './roster.js';
import type { Roster } from './roster.js';

/** Where evidence about the sender of a push says it was seen. */
export const PUSH_FIELD = 'push.sender';

/**
 * Remembered evidence that still stands under this policy, under the names it has there. What rests on an account or
 * App is asked again, so that a login taken off the policy is nobody's agent any more. Marks stay as they were seen;
 * those of an agent that neither policy nor catalogue knows any longer go, and so do those that `seen` has already.
 * Who pushed is never remembered here: a PR is of those whose commits are still in it, and the caller names them.
 */
export function standing(
  roster: Roster,
  remembered: readonly AttributedAgent[],
  seen: readonly Evidence[],
): readonly Evidence[] {
  const known = new Set(seen.map(placeOf));
  return remembered
    .flatMap(({ evidence }) => evidence)
    .filter(({ field }) => !field.startsWith(PUSH_FIELD))
    .flatMap((piece) => {
      const agent = piece.tier === 'certain' ? agentNow(roster, piece) : nameNow(roster, piece.agent);
      return agent === null || known.has(placeOf(piece)) ? [] : [{ ...piece, agent }];
    });
}

/** Which agent certain evidence points at today; null: none. */
function agentNow(roster: Roster, piece: Evidence): string | null {
  switch (piece.class) {
    case 'app-id':
      return agentOfApp(roster, Number(piece.value));
    case 'account-id':
    case 'declared-account':
      return piece.field.endsWith('.login')
        ? agentOfLogin(roster, piece.value)
        : agentOfId(roster, Number(piece.value));
    case 'declared-deploy-key':
      return roster.agents.has(piece.agent) ? piece.agent : null;
    default:
      // No other class is ever certain: a stored row that says so was not written by this App.
      return null;
  }
}

function nameNow(roster: Roster, name: string): string | null {
  if (roster.agents.has(name)) return name;
  const entries = catalogueEntries(name);
  const now = new Set(roster.marked.filter(({ entry }) => entries.includes(entry)).map(({ agent }) => agent));
  if (now.size === 0) return null;
  return now.size === 1 ? ([...now][0] ?? null) : name;
}

function placeOf({ class: kind, field, value }: Evidence): string {
  return JSON.stringify([kind, field, value]);
}
