import { createServer, connect as openSocket, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { sessionFault } from '#db/session.ts';

it('finds nothing wrong with a direct connection', async () => {
  expect(await sessionFault(process.env.DATABASE_URL!)).toBeNull();
});

it('names the mend where notifications get lost, as behind a pooler that hands connections round', async () => {
  const real = new URL(process.env.DATABASE_URL!);
  const sockets: Socket[] = [];
  // A notification is a message of the kind "A" by itself, between answers.
  const pooler = createServer((client) => {
    const server = openSocket(Number(real.port || 5432), real.hostname);
    sockets.push(client, server);
    client.on('error', () => {}).pipe(server);
    server
      .on('error', () => {})
      .on('data', (bytes: Buffer) => {
        if (bytes[0] !== 0x41) client.write(bytes);
      });
  });
  await new Promise<void>((done) => pooler.listen(0, '127.0.0.1', done));
  const url = new URL(real);
  url.port = String((pooler.address() as AddressInfo).port);
  url.hostname = '127.0.0.1';
  const fault = await sessionFault(url.href);
  for (const socket of sockets) socket.destroy();
  pooler.close();
  expect(fault).toMatch(/session mode/);
  expect(fault).not.toMatch(/\n/);
});
