import type { Account, Act } from './act.js';
import { type Delivery, envelopeOf, parsePayload } from './payload.js';

const ADMIN = new Set(['admin', 'maintain']);

/**
 * What changes who may do what: rulesets, classic protection, the default branch, a deploy key that can write, a
 * role that was given. The organization's own rulesets come without a repository and are not read here.
 */
export function readProtection(delivery: Delivery): readonly Act[] {
  const { action, sender } = envelopeOf(delivery);
  if (sender === null) return [];
  const act = (what: string, ruleset: { id: number; name: string } | null = null): readonly Act[] => [
    protection(delivery, sender, what, ruleset),
  ];
  switch (delivery.name) {
    case 'repository_ruleset': {
      const payload = parsePayload('repository_ruleset', delivery.payload);
      return payload === null ? [] : act(`ruleset ${action ?? 'changed'}`, payload.repository_ruleset);
    }
    case 'branch_protection_rule': {
      const payload = parsePayload('branch_protection_rule', delivery.payload);
      return payload === null ? [] : act(`branch protection ${action ?? 'changed'}`);
    }
    case 'branch_protection_configuration':
      return act(`branch protection ${action ?? 'changed'}`);
    case 'deploy_key': {
      const payload = parsePayload('deploy_key', delivery.payload);
      return payload === null || action !== 'created' || payload.key.read_only ? [] : act('deploy key added');
    }
    case 'repository': {
      const payload = parsePayload('repository', delivery.payload);
      return action === 'edited' && payload?.changes?.default_branch !== undefined
        ? act('default branch changed')
        : [];
    }
    case 'member': {
      const payload = parsePayload('member', delivery.payload);
      const role = payload?.changes?.role_name?.to ?? payload?.changes?.permission?.to ?? '';
      return (action === 'added' || action === 'edited') && ADMIN.has(role) ? act(`role ${role} given`) : [];
    }
    default:
      return [];
  }
}

function protection(
  delivery: Delivery,
  actor: Account,
  what: string,
  ruleset: { id: number; name: string } | null,
): Act {
  return {
    kind: 'protection.edit',
    key: `protection.edit:${delivery.id}`,
    telling: delivery.name,
    pair: false,
    actor,
    what,
    ruleset: ruleset === null ? null : { id: ruleset.id, name: ruleset.name },
  };
}
