/*
 * Preloaded into the server's process: its clock is ahead of the machine's by SOAK_AHEAD_MS, as the sandbox's is, so that
 * an hour passes while the server is off for a second. Nothing else of the process is touched: it waits as long as ever.
 */

const ahead = Number(process.env['SOAK_AHEAD_MS'] ?? '0');
const machine = Date;
const now = (): number => machine.now() + ahead;

globalThis.Date = new Proxy(machine, {
  construct: (target, args: readonly unknown[], newTarget): object =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  apply: () => new machine(now()).toString(),
  get: (target, key, receiver): unknown => (key === 'now' ? now : Reflect.get(target, key, receiver)),
});
