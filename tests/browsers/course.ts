import { randomUUID } from 'node:crypto';

/** A course of a text and a coding lesson, as an administrator makes it; gives its title. */
export async function makeCourse(site: string): Promise<{ id: number; title: string }> {
  let token: string | undefined;
  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await fetch(site + path, {
      method,
      headers: {
        'content-type': 'application/json',
        origin: site,
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
  token = (await ask('POST', '/api/auth/login', { email: 'admin@example.com', password: 'learn-demo' }))
    .token;
  const made = await ask('POST', '/api/admin/interactive-courses', {
    draftId: randomUUID(),
    title: 'Keyboard Studies',
    description: 'Two short lessons for hands that stay on the keys.',
    categoryId: 1,
    price: '20.00',
    level: 'beginner',
    duration: '1 hour',
    lessons: [
      { title: 'Why keys', type: 'text', instructions: 'Keys are **quick**.' },
      {
        title: 'Twice as much',
        type: 'interactive_coding',
        instructions: 'Write `twice`.',
        codingLanguage: 'javascript',
        starterCode: 'const twice = (n) => 0;\n',
        solution: 'const twice = (n) => n * 2;\n',
        testCases: [
          { input: 'twice(2)', expectedOutput: '4', description: 'two' },
          { input: 'twice(-3)', expectedOutput: '-6', description: 'below zero' },
          { input: 'twice(10)', expectedOutput: '20', description: 'ten' },
        ],
      },
    ],
  });
  return { id: made.id, title: made.title };
}
