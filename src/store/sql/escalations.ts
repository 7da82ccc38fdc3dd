import type { EscalationMemory, Ledger } from '../ledger.js';
import { fromJson } from '../values.js';
import type { Scope } from './ledger.js';

export const createEscalations = ({
  database: { sql },
  repository,
}: Scope): Pick<Ledger, 'escalation' | 'escalations' | 'escalationOfIssue'> => {
  const all = () =>
    sql.selectFrom('escalations').select('data').where('repository', '=', repository).orderBy('id');
  return {
    async escalation({ rule, agent, subject }) {
      const row = await all()
        .where('rule', '=', rule)
        .where('agent', '=', agent)
        .where('subject', '=', subject)
        .executeTakeFirst();
      return row && fromJson<EscalationMemory>(row.data);
    },
    async escalations(rule) {
      const rows = await all().where('rule', '=', rule).execute();
      return rows.map(({ data }) => fromJson<EscalationMemory>(data));
    },
    async escalationOfIssue(issue) {
      const row = await all().where('issue', '=', issue).limit(1).executeTakeFirst();
      return row && fromJson<EscalationMemory>(row.data);
    },
  };
};
