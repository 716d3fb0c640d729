import { describe, expect, it } from 'vitest';
import { GET } from '#src/pages/api/openapi.json.ts';
import { callRoute } from '../../support/api.ts';
import { ENDPOINTS } from '../../support/routes.ts';

describe('the OpenAPI document', () => {
  it('names every call that is not for administrators alone, and none that is', async () => {
    const { body, headers } = await callRoute(GET, { path: '/api/openapi.json' });
    expect(headers.get('content-type')).toContain('application/json');
    expect(body.openapi).toBe('3.1.0');
    const named = Object.entries(body.paths as Record<string, object>).flatMap(([path, calls]) =>
      Object.keys(calls).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
    );
    const wanted = Object.entries(ENDPOINTS)
      .filter(
        ([name, access]) => name.includes(' /api/') && (access === 'everybody' || access === 'signed-in'),
      )
      .map(([name]) => name.replace(/\[[^\]]+\]/g, '{}'));
    // What the site's pages tell about their own speed is no business of programs.
    expect(wanted.filter((name) => !named.includes(name))).toEqual(['POST /api/page-vitals']);
    expect(named.filter((name) => name.includes('/api/admin/'))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });

  it('says what a call takes and gives', async () => {
    const { body } = await callRoute(GET, { path: '/api/openapi.json' });
    const login = body.paths['/api/auth/login'].post;
    expect(Object.keys(login.requestBody.content['application/json'].schema.properties)).toEqual(
      expect.arrayContaining(['email', 'password']),
    );
    const give = body.paths['/api/organisations/{id}/seats'].post;
    expect(give.parameters).toMatchObject([{ name: 'id', in: 'path', required: true }]);
    expect(give.requestBody.content['application/json'].schema.required).toEqual([
      'courseId',
      'people',
      'dryRun',
    ]);
    expect(give.responses['2XX'].content['application/json'].schema.properties.given).toMatchObject({
      type: 'number',
    });
  });
});
