import type { Json } from '../records.js';
import { nodeId, REPO_API, urlPart } from './urls.js';

export const labelJson = (name: string): Json => ({
  id: 800_000 + name.length,
  node_id: nodeId('LA', name),
  url: `${REPO_API}/labels/${urlPart(name)}`,
  name,
  color: 'ededed',
  default: false,
  description: null,
});
