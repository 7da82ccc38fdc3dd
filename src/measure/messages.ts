import { z } from 'zod';

/** What the process that plays GitHub is told, one message after another. */
export const TOLD = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('serve'), repositories: z.number() }),
  z.object({ kind: z.literal('samples'), each: z.number(), size: z.number() }),
  z.object({
    kind: z.literal('traffic'),
    /** The webhook address of the server. */
    url: z.string(),
    seconds: z.number(),
    /** Milliseconds between two PRs by a person, in a repository where nothing else happens. */
    every: z.number(),
    /** Deliveries a second in another repository; 0: none. */
    flood: z.number(),
  }),
]);
export type Told = z.infer<typeof TOLD>;

const sample = z.object({ name: z.string(), body: z.string() });
export type Sample = z.infer<typeof sample>;

/** What it answers. */
export const ANSWER = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('serve'), url: z.string() }),
  z.object({ kind: z.literal('samples'), samples: z.array(sample) }),
  z.object({
    kind: z.literal('traffic'),
    /** Milliseconds from a delivery's sending to the check that answers it, for each person's PR that got one. */
    waits: z.array(z.number()),
    /** Persons' PRs that had no check a while after the last one. */
    unanswered: z.number(),
    /** Deliveries of the flood, and those that were answered 2xx before it ended. */
    flooded: z.object({ sent: z.number(), acknowledged: z.number() }),
    /** Requests that came from the server while it lasted, and those of them that wrote. */
    requests: z.number(),
    writes: z.number(),
  }),
  z.object({ kind: z.literal('failed'), why: z.string() }),
]);
export type Answer = z.infer<typeof ANSWER>;
