import { asRecord, isRecord, type Json, numberOf } from '../records.js';
import { bypassOf, plainRuleset } from '../rulesets.js';
import { protectionRuleJson, rulesetJson } from '../shapes/ruleset.js';
import type { Protection, Ruleset } from '../state.js';
import { type Handler, type Happening, keepOverlay, keyText, lastingOverlay, nowOf } from './happening.js';

const rulesetOf = (happening: Happening): Ruleset => {
  const { state } = happening;
  const name = keyText(happening, 'name') ?? '';
  const known = state.rulesets.find((ruleset) => ruleset.name === name);
  if (known !== undefined) return known;
  const plain = plainRuleset(name, state.appId);
  const ruleset: Ruleset = {
    id: numberOf(asRecord(happening.overlay['repository_ruleset'])['id']) ?? state.nextId('ruleset'),
    name,
    target: plain.target,
    enforcement: 'active',
    rules: [{ type: 'deletion' }],
    bypass: [],
    conditions: plain.conditions,
    createdAt: nowOf(happening),
    updatedAt: nowOf(happening),
    overlay: {},
  };
  state.rulesets.push(ruleset);
  return ruleset;
};

/** Lays a ruleset's own keys onto it, so that a later repair takes them away again. */
const layOntoRuleset = (ruleset: Ruleset, laid: Json): void => {
  const { rules, enforcement, conditions, bypass_actors, target, ...more } = laid;
  if (Array.isArray(rules)) ruleset.rules = rules;
  if (typeof enforcement === 'string') ruleset.enforcement = enforcement;
  if (typeof target === 'string') ruleset.target = target;
  if (isRecord(conditions)) ruleset.conditions = conditions;
  if (Array.isArray(bypass_actors)) ruleset.bypass = bypass_actors;
  keepOverlay(ruleset, more);
};

export const repositoryRuleset: Handler = (happening) => {
  const { state, action, keys } = happening;
  const ruleset = rulesetOf(happening);
  ruleset.enforcement = keyText(happening, 'enforcement') ?? ruleset.enforcement;
  if (Array.isArray(keys['bypass'])) ruleset.bypass = bypassOf(state, keys['bypass']);
  if (Array.isArray(keys['rules'])) ruleset.rules = keys['rules'];
  ruleset.updatedAt = nowOf(happening);
  layOntoRuleset(ruleset, lastingOverlay(happening, 'repository_ruleset', ['updated_at']));
  if (action === 'deleted') state.rulesets.splice(state.rulesets.indexOf(ruleset), 1);
  return {
    repository_ruleset: rulesetJson(state, ruleset, 'whole'),
    ...(action === 'edited' ? { changes: asRecord(keys['changes']) } : {}),
  };
};

const protectionOf = (happening: Happening): Protection => {
  const { state } = happening;
  const pattern = keyText(happening, 'name') ?? '';
  const known = state.protections.find((rule) => rule.pattern === pattern);
  if (known !== undefined) return known;
  const rule: Protection = {
    id: state.nextId('protection'),
    pattern,
    createdAt: nowOf(happening),
    updatedAt: nowOf(happening),
    overlay: {},
  };
  state.protections.push(rule);
  return rule;
};

/** The value a change leaves behind, of which GitHub only sends what it was. */
const after = (from: unknown): unknown =>
  typeof from === 'boolean' ? !from : from === 'off' ? 'everyone' : 'off';

export const branchProtectionRule: Handler = (happening) => {
  const { state, action, keys } = happening;
  const rule = protectionOf(happening);
  const changes = asRecord(keys['changes']);
  for (const [key, change] of Object.entries(changes)) {
    if (isRecord(change) && !Array.isArray(change['from'])) {
      keepOverlay(rule, { [key]: after(change['from']) });
    }
  }
  rule.updatedAt = nowOf(happening);
  keepOverlay(rule, lastingOverlay(happening, 'rule', ['updated_at']));
  if (action === 'deleted') state.protections.splice(state.protections.indexOf(rule), 1);
  return { rule: protectionRuleJson(state, rule), ...(action === 'edited' ? { changes } : {}) };
};
