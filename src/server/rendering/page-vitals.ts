import { Histogram, Registry } from 'prom-client';
import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';

const LONGEST_MS = 120_000;
const LARGEST_SHIFT = 100;

const milliseconds = z.number().min(0).max(LONGEST_MS).optional();

const view = z
  .strictObject({
    route: z.string().max(100),
    lcp: milliseconds,
    inp: milliseconds,
    cls: z.number().min(0).max(LARGEST_SHIFT).optional(),
  })
  .refine(({ lcp, inp, cls }) => (lcp ?? inp ?? cls) !== undefined, 'Measure something');

/** Milliseconds; `cls` is the share of the screen that moved. */
type PageVitals = z.infer<typeof view>;

export const pageVitalsCall = contract({
  method: 'POST',
  path: '/api/page-vitals',
  input: view,
  output: z.undefined(),
});

export const pageVitals = new Registry();

const histograms = {
  lcp: new Histogram({
    name: 'page_lcp_seconds',
    help: 'Largest contentful paint in browsers of signed-in people, one view in ten',
    labelNames: ['route'],
    buckets: [0.25, 0.5, 1, 1.5, 2.5, 4, 10],
    registers: [pageVitals],
  }),
  inp: new Histogram({
    name: 'page_inp_seconds',
    help: 'Interaction to next paint in browsers of signed-in people, one view in ten',
    labelNames: ['route'],
    buckets: [0.05, 0.1, 0.2, 0.35, 0.5, 1, 3],
    registers: [pageVitals],
  }),
  cls: new Histogram({
    name: 'page_cls',
    help: 'Cumulative layout shift in browsers of signed-in people, one view in ten',
    labelNames: ['route'],
    buckets: [0.01, 0.05, 0.1, 0.15, 0.25, 0.5, 1],
    registers: [pageVitals],
  }),
};

/** `route` must be an existing one, as each makes series. */
export function observePageVitals({ route, lcp, inp, cls }: PageVitals): void {
  if (lcp !== undefined) histograms.lcp.observe({ route }, lcp / 1000);
  if (inp !== undefined) histograms.inp.observe({ route }, inp / 1000);
  if (cls !== undefined) histograms.cls.observe({ route }, cls);
}
