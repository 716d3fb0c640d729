import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The first link of the newest mail to an address, waiting until one whose subject fits has been written. */
export async function mailedLink(dataDir: string, to: string, subject: RegExp): Promise<string> {
  const folder = join(dataDir, 'mail');
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const names = await readdir(folder).catch(() => [] as string[]);
    const found: { date: number; link: string }[] = [];
    for (const name of names.filter((one) => one.endsWith('.eml') && !one.startsWith('.'))) {
      const mail = (await readFile(join(folder, name), 'utf8')).replace(/=\r?\n/g, '').replace(/=3D/g, '=');
      const link = /https?:\/\/\S+/.exec(mail.slice(mail.indexOf('\n\n')))?.[0];
      // Words that are encoded are cut into parts, with "_" for a space.
      const written = (/^Subject: (.*)$/m.exec(mail)?.[1] ?? '')
        .replace(/\?\s*=\?UTF-8\?Q\?/g, '')
        .replaceAll('_', ' ');
      if (link && mail.includes(`To: ${to}`) && subject.test(written)) {
        found.push({ date: Number(/outbox-(\d+)/.exec(name)?.[1]), link });
      }
    }
    const newest = found.sort((a, b) => b.date - a.date)[0];
    if (newest) return newest.link;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`No mail to ${to} with a subject like ${subject} was written.`);
}
