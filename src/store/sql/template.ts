import type { CompiledQuery } from 'kysely';

const SLOT = Symbol('slot');

interface Slot {
  readonly [SLOT]: PropertyKey;
}

const isSlot = (value: unknown): value is Slot =>
  typeof value === 'object' && value !== null && SLOT in value;

/**
 * A query that is compiled once and filled many times: to build it anew costs more than to run it. `build` gets a
 * stand-in for each value and must hand each on as a parameter, looking into none.
 */
export const createTemplate = <T extends object>(
  build: (values: T) => CompiledQuery,
): ((values: T) => CompiledQuery) => {
  let compiled: CompiledQuery | undefined;
  const standIns = (): T => {
    const every = new Proxy({}, { get: (_, name): Slot => ({ [SLOT]: name }) });
    return every as T;
  };
  return (values) => {
    compiled ??= build(standIns());
    const parameters = compiled.parameters.map((value) =>
      isSlot(value) ? Reflect.get(values, value[SLOT]) : value,
    );
    return { ...compiled, parameters };
  };
};
