import { fail, ok, type Finding } from './doctor-finding.js';

/** The versions of Node that package.json asks for: `^20.18.1 || >=22`. */
export const SUPPORTED_NODE = '^20.18.1 || >=22';

const isSupported = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (major !== 20) return major >= 22;
  return minor > 18 || (minor === 18 && patch >= 1);
};

export const nodeFinding = (version: string): Finding =>
  isSupported(version)
    ? ok('node', `Node ${version}`)
    : fail('node', `Node ${version} is not supported`, `Install one of ${SUPPORTED_NODE}`);
