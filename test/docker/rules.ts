import { validate } from 'dockerfile-utils';
import { readDockerfile, type Stage, type Step } from './read.js';

const SECRET = /secret|token|password|private_?key|\.pem\b|\.env\b/i;

const usersOf = (stage: Stage): readonly string[] =>
  stage.steps.flatMap((step) => (step.kind === 'other' && step.keyword === 'USER' ? [step.text] : []));

const imageProblems = ({ image }: Stage, earlier: readonly (string | null)[]): readonly string[] => {
  if (earlier.includes(image)) return [];
  const tag = /:([^:/@]+)(?:@|$)/.exec(image)?.[1];
  if (tag === undefined || tag === 'latest') return [`${image} is not pinned`];
  return /^\d+/.test(tag) ? [] : [`${image} is pinned to no major`];
};

const stepProblems = (step: Step): readonly string[] => {
  switch (step.kind) {
    case 'copy':
      return step.sources.flatMap((source) => {
        if (SECRET.test(source)) return [`COPY takes ${source}`];
        return step.from === null && ['.', './', '/'].includes(source) ? ['COPY takes the whole folder'] : [];
      });
    case 'env':
      return Object.keys(step.values).flatMap((name) =>
        SECRET.test(name) ? [`ENV ${name} stays in the image`] : [],
      );
    case 'cmd':
    case 'healthcheck':
      return step.exec === null
        ? [`${step.kind.toUpperCase()} goes through a shell`]
        : step.exec[0] === 'npm'
          ? [`${step.kind.toUpperCase()} goes through npm`]
          : [];
    case 'other':
      if (step.keyword === 'ADD') return ['ADD fetches and unpacks: use COPY'];
      return step.keyword === 'ARG' && SECRET.test(step.text)
        ? [`ARG ${step.text} stays in the history of the image`]
        : [];
    case 'run':
    case 'workdir':
      return [];
  }
};

/** What is wrong with a Dockerfile: by the linter, and by the rules that matter here. */
export const problemsOf = (text: string): readonly string[] => {
  const stages = readDockerfile(text);
  const last = stages.at(-1);
  if (last === undefined) return ['there is no stage'];
  const has = (kind: Step['kind']): boolean => last.steps.some((step) => step.kind === kind);
  const user = usersOf(last).at(-1);
  return [
    ...validate(text).map(({ message, range }) => `line ${String(range.start.line + 1)}: ${message}`),
    ...stages.flatMap((stage, index) =>
      imageProblems(
        stage,
        stages.slice(0, index).map(({ name }) => name),
      ),
    ),
    ...stages.flatMap(({ steps }) => steps.flatMap(stepProblems)),
    ...(stages.length < 2 ? ['what only the build needs stays in the image'] : []),
    ...(user === undefined || /^(?:root|0)(?::|$)/.test(user) ? ['it runs as root'] : []),
    ...(has('healthcheck') ? [] : ['there is no HEALTHCHECK']),
    ...(has('cmd') ? [] : ['there is no CMD']),
  ];
};
