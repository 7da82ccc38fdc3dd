import type { Json } from '../records.js';
import type { State } from '../state.js';
import { nodeId, urlPart } from './urls.js';

export const labelJson = (state: State, name: string): Json => ({
  id: 800_000 + name.length,
  node_id: nodeId('LA', name),
  url: `${state.repo.api}/labels/${urlPart(name)}`,
  name,
  color: 'ededed',
  default: false,
  description: null,
});
