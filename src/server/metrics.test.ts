import { describe, expect, it } from 'vitest';
import { createMetrics, type Reading } from './metrics.ts';

const TOKEN = 'a-token-that-nobody-guesses';

describe('metrics', () => {
  it('are for readers with the token alone', () => {
    const metrics = createMetrics({ token: TOKEN, read: async () => [] });
    expect(metrics.allows(`Bearer ${TOKEN}`)).toBe(true);
    for (const header of [undefined, '', 'Bearer', `Bearer ${TOKEN} `, `bearer ${TOKEN}`, TOKEN]) {
      expect(metrics.allows(header)).toBe(false);
    }
  });

  it('count requests by method, route and status, and their time by route', async () => {
    const metrics = createMetrics({ token: TOKEN, read: async () => [] });
    metrics.observe({ method: 'GET', route: '/courses/[id]', status: 200, ms: 12 });
    metrics.observe({ method: 'GET', route: '/courses/[id]', status: 200, ms: 40 });
    const { body, type } = await metrics.render();
    expect(type).toContain('text/plain');
    expect(body).toContain('http_requests_total{method="GET",route="/courses/[id]",status="200"} 2');
    expect(body).toContain('http_request_duration_seconds_bucket{le="0.025",route="/courses/[id]"} 1');
    expect(body).toContain('http_request_duration_seconds_count{route="/courses/[id]"} 2');
    expect(body).toContain('nodejs_eventloop_lag_seconds');
  });

  it('show the parts of the site as they are now, and go on without them', async () => {
    let readings: readonly Reading[] | null = [
      { name: 'academy_jobs', help: 'Jobs', value: 3, labels: { queue: 'mail' } },
      { name: 'academy_jobs', help: 'Jobs', value: 1, labels: { queue: 'books' } },
    ];
    const metrics = createMetrics({
      token: TOKEN,
      read: async () => {
        if (!readings) throw new Error('the database is gone');
        return readings;
      },
    });
    expect((await metrics.render()).body).toContain('academy_jobs{queue="mail"} 3');
    readings = [{ name: 'academy_jobs', help: 'Jobs', value: 0, labels: { queue: 'mail' } }];
    const later = (await metrics.render()).body;
    expect(later).toContain('academy_jobs{queue="mail"} 0');
    expect(later).not.toContain('queue="books"');
    readings = null;
    const failed = (await metrics.render()).body;
    expect(failed).not.toContain('academy_jobs{');
    expect((await metrics.render()).body).toContain('academy_readings_failed_total 2');
    expect(failed).toContain('process_resident_memory_bytes');
  });
});
