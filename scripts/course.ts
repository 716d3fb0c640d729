import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { exportCourse, PACKED } from '#src/features/authoring/transfer/course-export.server.ts';
import { planSummary } from '#src/features/authoring/transfer/course-files.ts';
import type { ImportPlan } from '#src/features/authoring/transfer/schema.ts';
import { CourseFileError } from '#src/features/authoring/transfer/course-format.server.ts';
import { faultText, importCourse } from '#src/features/authoring/transfer/course-import.server.ts';
import {
  type UnpackedCourse,
  withUnpackedCourse,
} from '#src/features/authoring/transfer/course-zip.server.ts';
import { proveCourseFiles } from '#src/features/authoring/transfer/prove-files.server.ts';
import { stopJudge } from '#src/judge/client.ts';
import { reasonInOneLine } from '#src/server/loggable-error.ts';
import { env } from '#src/server/start/env.ts';
import { counted } from '#src/shared/counted.ts';
import { operator, withDatabase } from './with-database.ts';

const USAGE = `Usage: npm run course -- check DIR|ZIP             finds every mistake in the files of a course, and tries its lessons
       npm run course -- import DIR|ZIP [--into ID [--new-version NAMES] | --new]
                                                   reads them into a course, or makes a new, hidden one
       npm run course -- export ID [FILE]          writes a course as a zip file

NAMES are changed lessons, as their files are called, with commas between them, or "all": those who have completed them
read that they changed. The others are corrections.

Exit code 0: all is well; 1: there is something to mend; 2: the command itself is wrong.`;

class WrongCommand extends Error {}

const SKIPPED = /^(\..*|source|node_modules|__MACOSX|Thumbs\.db|desktop\.ini)$/;

async function filesBelow(folder: string, root = folder): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (SKIPPED.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await filesBelow(path, root)));
    else if (entry.isFile()) found.push(relative(root, path).split(sep).join('/'));
  }
  return found.sort();
}

async function withCourse<T>(path: string, work: (folder: UnpackedCourse) => Promise<T>): Promise<T> {
  const kind = await stat(path).catch(() => null);
  if (!kind) throw new WrongCommand(`There is no file or folder ${path}.`);
  const scratch = await mkdtemp(join(tmpdir(), 'course-'));
  try {
    let zip = path;
    if (kind.isDirectory()) {
      zip = join(scratch, 'course.zip');
      await zipFolder(path, zip);
    }
    return await withUnpackedCourse(zip, join(scratch, 'unpacked'), work, {
      maxBytes: env().courseMaxBytes,
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function zipFolder(folder: string, target: string): Promise<void> {
  const zip = new ZipFile();
  const name = basename(resolve(folder));
  for (const path of await filesBelow(folder)) {
    zip.addFile(join(folder, path), `${name}/${path}`, { compress: !PACKED.test(path) });
  }
  zip.end();
  await pipeline(zip.outputStream as Readable, createWriteStream(target, { mode: 0o600 }));
}

async function check(path: string): Promise<void> {
  try {
    const findings = await withCourse(path, proveCourseFiles);
    for (const { severity, text } of findings)
      console.log(`${severity === 'error' ? 'error  ' : 'warning'} ${text}`);
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const warnings = findings.length - errors;
    console.log(`${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`);
    if (errors > 0) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof CourseFileError)) throw error;
    tellFaults(error);
  } finally {
    await stopJudge();
  }
}

function tellFaults({ faults }: CourseFileError): void {
  for (const fault of faults) console.log(`error   ${faultText(fault)}`);
  console.log(`${counted(faults.length, 'error')}. Nothing was changed.`);
  process.exitCode = 1;
}

function newVersionsOf({ rows }: ImportPlan, asked: string): number[] {
  const completed = rows.flatMap((row) => row.completed ?? []);
  if (asked === 'all') return completed.map(({ lessonId }) => lessonId);
  return asked
    .split(',')
    .filter(Boolean)
    .map((name) => {
      const found = completed.find((one) => one.name === name);
      if (!found) {
        throw new WrongCommand(
          `--new-version ${name}: these files change no lesson of that name that learners have completed.`,
        );
      }
      return found.lessonId;
    });
}

async function importFrom(
  path: string,
  into: number | null,
  isNew: boolean,
  newVersion: string,
): Promise<string> {
  return withCourse(path, async (folder) => {
    const actor = operator();
    const target = into ?? (isNew ? null : 'source');
    const { plan } = await importCourse(actor, folder, { target, digest: '' });
    if (target === 'source' && plan.courseId !== null) {
      throw new WrongCommand(
        `These files came from course ${plan.courseId}, “${plan.title}”. Say --into ${plan.courseId} to change it, or --new to make another one.`,
      );
    }
    for (const { kind, title, change, details } of plan.rows) {
      if (change === 'unchanged') continue;
      console.log(
        `${change.padEnd(8)} ${kind} ${title}${details.length > 0 ? `: ${details.join(', ')}` : ''}`,
      );
    }
    const newVersions = newVersionsOf(plan, newVersion);
    if (plan.newPictures > 0) console.log(`new      ${counted(plan.newPictures, 'picture')}`);
    if (plan.waits) console.log('What changes in the lessons waits until it is published on the site.');
    for (const left of plan.ignored) console.log(`left out ${left}`);
    if (plan.rows.every(({ change }) => change === 'unchanged')) return 'Nothing to change.';
    const { appliedTo } = await importCourse(actor, folder, {
      target: plan.courseId,
      digest: plan.digest,
      newVersions,
    });
    return `Course ${appliedTo}: ${planSummary(plan.rows)}.${plan.courseId === null ? ' It is hidden.' : ''}`;
  });
}

async function exportTo(id: number, file: string | undefined): Promise<string> {
  const { name, body } = await exportCourse(id);
  const target = file ?? name;
  // Whole or not at all: a download that breaks off leaves nothing that looks like a course.
  const draft = `${target}.${randomBytes(4).toString('hex')}.part`;
  try {
    await pipeline(Readable.fromWeb(body as never), createWriteStream(draft, { flags: 'wx' }));
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return target;
}

async function onDatabase(work: () => Promise<string>): Promise<void> {
  let wrong: WrongCommand | null = null;
  await withDatabase(async () => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof WrongCommand) wrong = error;
      else if (error instanceof CourseFileError) tellFaults(error);
      else throw error;
      return '';
    }
  });
  if (wrong) throw wrong;
}

const idOf = (text: string | undefined): number => {
  if (!text || !/^[1-9]\d{0,8}$/.test(text)) throw new WrongCommand(`"${text ?? ''}" is no id of a course.`);
  return Number(text);
};

async function run([command, first, ...rest]: string[]): Promise<void> {
  if (command === 'check' && first && rest.length === 0) return check(first);
  if (command === 'export' && first && rest.length <= 1) {
    const id = idOf(first);
    return onDatabase(() => exportTo(id, rest[0]));
  }
  if (command === 'import' && first) {
    const isNew = rest.length === 1 && rest[0] === '--new';
    const into = rest[0] === '--into' ? idOf(rest[1]) : null;
    const newVersion = into !== null && rest[2] === '--new-version' ? (rest[3] ?? '') : '';
    if (rest.length === 0 || isNew || (into !== null && rest.length === (newVersion ? 4 : 2))) {
      return onDatabase(() => importFrom(first, into, isNew, newVersion));
    }
  }
  throw new WrongCommand(USAGE);
}

// While the judge is busy nothing else holds the process: what waits for it must not end with it.
const holding = setInterval(() => {}, 60_000);
try {
  await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof WrongCommand) {
    console.error(error.message);
    process.exitCode = 2;
  } else {
    console.error(reasonInOneLine(error));
    process.exitCode = 1;
  }
} finally {
  clearInterval(holding);
}
