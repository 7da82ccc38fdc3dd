import { DockerfileParser, Keyword, type Copy, type Env, type From, type Instruction } from 'dockerfile-ast';

/** One step of a stage, as far as the tests care. */
export type Step =
  | {
      readonly kind: 'copy';
      readonly from: string | null;
      readonly sources: readonly string[];
      readonly target: string;
    }
  | { readonly kind: 'env'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'workdir'; readonly path: string }
  /** `exec` is null where it is written for a shell, or is no command. */
  | { readonly kind: 'cmd' | 'healthcheck'; readonly text: string; readonly exec: readonly string[] | null }
  | { readonly kind: 'other'; readonly keyword: string; readonly text: string };

export interface Stage {
  readonly image: string;
  readonly name: string | null;
  readonly steps: readonly Step[];
}

const execOf = (text: string): readonly string[] | null => {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((part): part is string => typeof part === 'string')
      ? value
      : null;
  } catch {
    return null;
  }
};

const stepOf = (instruction: Instruction): Step => {
  const keyword = instruction.getKeyword();
  const text = instruction.getArgumentsContent() ?? '';
  switch (keyword) {
    case Keyword.COPY: {
      const copy = instruction as Copy;
      const paths = copy.getArguments().map((argument) => argument.getValue());
      return {
        kind: 'copy',
        from: copy.getFromFlag()?.getValue() ?? null,
        sources: paths.slice(0, -1),
        target: paths.at(-1) ?? '',
      };
    }
    case Keyword.ENV: {
      const properties = (instruction as Env).getProperties();
      return {
        kind: 'env',
        values: Object.fromEntries(
          properties.map((property) => [property.getName(), property.getValue() ?? '']),
        ),
      };
    }
    case Keyword.RUN:
      return { kind: 'run', command: text };
    case Keyword.WORKDIR:
      return { kind: 'workdir', path: text };
    case Keyword.CMD:
      return { kind: 'cmd', text, exec: execOf(text) };
    case Keyword.HEALTHCHECK: {
      const command = text.replace(/^(?:--\S+\s+)*CMD\s+/, '');
      return { kind: 'healthcheck', text, exec: execOf(command) };
    }
    default:
      return { kind: 'other', keyword, text };
  }
};

/** The stages of a Dockerfile, in order. What stands before the first FROM is left out. */
export const readDockerfile = (text: string): readonly Stage[] => {
  const stages: { image: string; name: string | null; steps: Step[] }[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (instruction.getKeyword() === Keyword.FROM) {
      const from = instruction as From;
      stages.push({ image: from.getImage() ?? '', name: from.getBuildStage(), steps: [] });
    } else {
      stages.at(-1)?.steps.push(stepOf(instruction));
    }
  }
  return stages;
};
