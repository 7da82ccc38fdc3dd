import { z } from 'zod';
import type { Repository } from '../acts/act.js';
import type { Permission } from '../decide/facts.js';
import type { Client } from './client.js';
import { RequestFailure } from './failure.js';

const ROLES: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];
const roleOf = (name: string | null | undefined): Permission | undefined =>
  ROLES.find((role) => role === name);

/** Letters, digits, `-` and `_` (managed users), `[bot]` at the end. Anything else is nobody's login. */
const isLogin = (login: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\[bot\])?$/.test(login);
const isSlug = (name: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(name);

/** What an account may do here, looked up now. */
export const createPeopleReader = (client: Client, repository: Repository) => ({
  /** A role of the organization's own making counts as the permission it is built on. Unknown accounts have none. */
  async permission(login: string): Promise<Permission> {
    if (!isLogin(login)) return 'none';
    try {
      const answer = await client.get(
        'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
        { owner: repository.owner, repo: repository.name, username: login },
        z.object({ permission: z.string(), role_name: z.string().nullish() }),
      );
      return roleOf(answer.role_name) ?? roleOf(answer.permission) ?? 'none';
    } catch (error) {
      if (error instanceof RequestFailure && error.status === 404) return 'none';
      throw error;
    }
  },

  /** Active members only: who is invited and has not accepted is none. */
  async inTeam(org: string, team: string, login: string): Promise<boolean> {
    if (!isLogin(login) || !isSlug(org) || !isSlug(team)) return false;
    try {
      const { state } = await client.get(
        'GET /orgs/{org}/teams/{team_slug}/memberships/{username}',
        { org, team_slug: team, username: login },
        z.object({ state: z.string() }),
      );
      return state === 'active';
    } catch (error) {
      if (error instanceof RequestFailure && error.status === 404) return false;
      throw error;
    }
  },
});
