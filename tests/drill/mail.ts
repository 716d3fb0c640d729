import { freePort } from '../support/site.ts';
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import postgres from 'postgres';
import { ADMIN, ask, type Drill, ended, must, needsRoot, STUDENT, until } from './drill.ts';

export const mailServerDown: Drill = {
  name: 'mail-server-down',
  faults: 'F11',
  does: 'the mail server refuses connections while mails are written, then comes back',
  async run(stage) {
    const port = await freePort();
    const site = await stage.site('a', {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Academy <hello@example.com>',
    });
    const began = await ask(site.url, '/api/forgot-password', { body: { email: STUDENT.email } });
    must(began.status === 200, `the request was answered ${began.status}`);
    const admin = postgres(stage.databaseUrl, { max: 1 });
    await until('a failed try', 15, async () => {
      const [mail] = await admin`select attempts from mail_outbox where status = 'queued'`;
      return (mail?.attempts ?? 0) > 0;
    });
    const received: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData(stream, _session, done) {
        stream.on('data', () => {});
        stream.on('end', () => {
          received.push('mail');
          done();
        });
      },
    });
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    const after = await until('the mail', 120, async () => received.length > 0);
    await sleep(2_000);
    must(received.length === 1, `${received.length} mails came`);
    await admin.end();
    await new Promise<void>((done) => server.close(() => done()));
    return `the request was answered in ${Math.round(began.ms)} ms; the mail came ${after.toFixed(0)} s after the server was back, once`;
  },
};

export const mailRestart: Drill = {
  name: 'mail-restart',
  faults: 'F7, F11',
  does: 'a mail server takes a mail and says so after eight seconds, and the site is restarted meanwhile',
  async run(stage) {
    const port = await freePort();
    let received = 0;
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData(stream, _session, done) {
        stream.on('end', () => {
          received += 1;
          setTimeout(done, 8_000);
        });
        stream.resume();
      },
    });
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    const settings = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Academy <hello@example.com>' };
    const site = await stage.site('a', settings);
    await ask(site.url, '/api/forgot-password', { body: { email: STUDENT.email } });
    await until('the mail', 15, async () => received === 1);
    const began = performance.now();
    site.process.kill('SIGTERM');
    await ended(site);
    const seconds = (performance.now() - began) / 1000;
    const admin = postgres(stage.databaseUrl, { max: 1 });
    const [mail] = await admin`select status from mail_outbox`;
    await admin.end();
    must(mail!.status === 'sent', `after the end the mail counts as ${mail!.status}`);
    await stage.site('a', settings);
    await new Promise<void>((done) => server.close(() => done()));
    must(received === 1, `${received} mails were handed over`);
    return `ended in ${seconds.toFixed(1)} s, the mail noted; handed over once`;
  },
};

export const mailTransferAgent: Drill = {
  name: 'mail-transfer-agent',
  faults: 'F11',
  does: 'mails go to Exim with STARTTLS and a password; first its certificate is not trusted, then it says 451, then it takes them',
  needs: () =>
    spawnSync('exim4', ['-bV']).error ? 'needs Exim (apt-get install exim4-daemon-light)' : needsRoot(),
  async run(stage) {
    const agent = await stage.mailAgent('p@ss/word');
    const settings = {
      SMTP_URL: `smtp://academy:${encodeURIComponent('p@ss/word')}@localhost:${agent.port}`,
      MAIL_FROM: 'Academy <hello@example.com>',
    };
    const admin = postgres(stage.databaseUrl, { max: 1 });
    const failure = async (text: string) =>
      (await admin`select 1 from mail_outbox where status = 'queued' and last_error like ${`%${text}%`}`)
        .length > 0;
    const write = (url: string, email: string) => ask(url, '/api/forgot-password', { body: { email } });

    const wary = await stage.site('wary', { ...settings, NODE_EXTRA_CA_CERTS: '' });
    await write(wary.url, STUDENT.email);
    await until('the refusal of a certificate that nobody trusts', 20, () => failure('self-signed'));
    wary.process.kill('SIGTERM');
    await ended(wary);

    agent.putOff(true);
    const site = await stage.site('a', { ...settings, NODE_EXTRA_CA_CERTS: agent.certificate });
    await write(site.url, ADMIN.email);
    await until('a 451', 60, () => failure('451'));
    must(agent.taken().length === 0, 'a mail was taken before it could be');
    agent.putOff(false);
    const after = await until('both mails', 300, async () => agent.taken().length >= 2);
    await sleep(2_000);
    const taken = agent.taken();
    must(
      taken.length === 2 &&
        taken.every((line) => line.includes('P=esmtpsa') && line.includes('A=plain:academy')),
      `Exim took: ${taken.join(' | ')}`,
    );
    await admin.end();
    return `nothing sent over an untrusted certificate, 451 waited out; ${after.toFixed(0)} s later both mails were taken once, encrypted and signed in`;
  },
};
