import { createHash, timingSafeEqual } from 'node:crypto';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { pageVitals } from './rendering/page-vitals.ts';

export type Reading = { name: string; help: string; value: number; labels?: Record<string, string> };

export interface Metrics {
  /** `route` is a pattern such as `/courses/[id]`, or `none`, never the address itself. */
  observe(request: { method: string; route: string; status: number; ms: number }): void;
  observeRefusal(code: string): void;
  observeFile(): void;
  allows(authorization: string | undefined): boolean;
  render(): Promise<{ type: string; body: string }>;
}

/** Seconds. */
const DURATIONS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const digest = (text: string) => createHash('sha256').update(text).digest();

export function createMetrics({
  token,
  read,
}: {
  token: string;
  read: () => Promise<readonly Reading[]>;
}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Answered requests',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['route'],
    buckets: DURATIONS,
    registers,
  });
  const files = new Counter({
    name: 'http_files_total',
    help: 'Requests for pages and files that were made by the build',
    registers,
  });
  const refusals = new Counter({
    name: 'http_refusals_total',
    help: 'Refused requests by the code of their answer, also those that were never rendered',
    labelNames: ['code'],
    registers,
  });
  const failures = new Counter({
    name: 'academy_readings_failed_total',
    help: 'Times the figures of the parts of the site could not be read',
    registers,
  });
  const wanted = digest(`Bearer ${token}`);
  return {
    observe({ method, route, status, ms }) {
      requests.inc({ method, route, status });
      durations.observe({ route }, ms / 1000);
    },
    observeRefusal: (code) => refusals.inc({ code }),
    observeFile: () => files.inc(),
    allows: (authorization) => authorization !== undefined && timingSafeEqual(digest(authorization), wanted),
    async render() {
      // Made anew each time: a queue that is gone must not keep its last length.
      const momentary = new Registry();
      try {
        for (const { name, help, value, labels = {} } of await read()) {
          const known = momentary.getSingleMetric(name) as Gauge | undefined;
          const gauge =
            known ?? new Gauge({ name, help, labelNames: Object.keys(labels), registers: [momentary] });
          gauge.set(labels, value);
        }
      } catch {
        failures.inc();
      }
      const parts = await Promise.all([registry, pageVitals, momentary].map((part) => part.metrics()));
      return { type: registry.contentType, body: parts.join('\n') };
    },
  };
}
