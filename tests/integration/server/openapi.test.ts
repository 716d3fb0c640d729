import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { publicCalls, ROOMS, WORDS } from '#src/features/admin/api-reference/openapi.server.ts';
import { FIELDS } from '#src/features/admin/api-reference/words/fields.server.ts';
import { GET } from '#src/pages/api/openapi.json.ts';
import type { Contract } from '#src/shared/contract.ts';
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
    expect(give.requestBody.content['application/json'].schema.required).toEqual(['people', 'dryRun']);
    expect(give.responses['2XX'].content['application/json'].schema.properties.given).toMatchObject({
      type: 'number',
    });
  });

  it('has words for every call, and none for what is no call or field', async () => {
    const names = publicCalls().map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(WORDS).toSorted()).toEqual(names.toSorted());
    const { body } = await callRoute(GET, { path: '/api/openapi.json' });
    const text = JSON.stringify(body);
    expect(Object.keys(FIELDS).filter((name) => !text.includes(`"${name}"`))).toEqual([]);
  });

  it('gives examples that the calls take and answer', () => {
    const contracts = new Map(
      Object.values(ROOMS)
        .flatMap((room) => Object.values(room as Record<string, unknown>) as Contract[])
        .map((one) => [`${one?.method} ${one?.path}`, one]),
    );
    for (const { method, path, example, answer } of publicCalls()) {
      const { input, output } = contracts.get(`${method} ${path}`)!;
      const faults = [
        input?.safeParse(example).error,
        answer !== undefined && output.safeParse(answer).error,
      ];
      expect([path, ...faults.filter(Boolean)]).toEqual([path]);
    }
  });

  it('says who may call, how often and what is refused as the endpoints have it', () => {
    const sources = globSync('{src,db}/**/*.ts', { exclude: (name) => name.includes('api-reference') })
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    for (const [name, { open, limit, refuses = {} }] of Object.entries(WORDS)) {
      const [method, path] = name.split(' ') as [string, string];
      const at = `src/pages${path.replace(/\{(\w+)\}/g, '[$1]')}`;
      const file = [`${at}.ts`, `${at}/index.ts`].find((one) => existsSync(one));
      const [, rest = ''] = readFileSync(file!, 'utf8').split(`export const ${method} =`);
      const policy = rest.match(/access: '(\w+)'(?:, limit: '([\w-]+)')?/)!;
      expect([name, policy[1]]).toEqual([name, open ? 'public' : 'user']);
      // A limit that its service counts by itself stands there.
      if (policy[2]) expect([name, limit]).toEqual([name, policy[2]]);
      else if (limit) expect(sources).toContain(`'${limit}'`);
      for (const part of Object.values(refuses).flatMap((sentence) => sentence.split(/\{[^}]*\}/))) {
        expect([name, part, sources.includes(part.replaceAll("'", "\\'")) || sources.includes(part)]).toEqual(
          [name, part, true],
        );
      }
    }
  });
});
