import { protocol } from '@electric-sql/pglite';
import type { Table } from '#src/judge/comparing/tables.ts';
import { isRoom } from '../conditions.ts';
import type { Started } from './start.ts';

/** Further rows are only counted. */
const ROWS_KEPT = 2_000;
/** Bytes of a message, and of a statement's: larger ones are dropped unread. */
const MESSAGE_BYTES = 256 * 1024;
const STATEMENT_BYTES = 1_024 * 1024;
const HEADER_BYTES = 5;

export interface SqlFailure {
  code: string;
  message: string;
  detail: string;
  hint: string;
  constraint: string;
  /** From 0; null where unknown. */
  at: number | null;
  /** Not from its own text, but from text that it ran. */
  isFromWithin: boolean;
}

export interface StatementResult {
  /** Null without rows. */
  table: Table | null;
  /** As psql: `INSERT 0 3`. */
  tag: string;
  /** Rows were dropped. */
  isCut: boolean;
  notices: string[];
  failure: SqlFailure | null;
}

export interface Engine {
  run(statement: string): StatementResult;
  isInTransaction(): boolean;
  /** Crashed for good. */
  hasFallen(): boolean;
  /** Whether it answers after a stop in the middle. */
  answersAgain(): boolean;
}

/** It crashed or ended the session. */
export class EngineFell extends Error {
  override name = 'EngineFell';
}

/** Others are looked up. */
const TYPES = new Map<number, string>([
  [16, 'boolean'],
  [20, 'bigint'],
  [21, 'smallint'],
  [23, 'integer'],
  [25, 'text'],
  [700, 'real'],
  [701, 'double precision'],
  [1042, 'character'],
  [1043, 'character varying'],
  [1082, 'date'],
  [1083, 'time'],
  [1114, 'timestamp'],
  [1184, 'timestamp with time zone'],
  [1186, 'interval'],
  [1700, 'numeric'],
  [2950, 'uuid'],
  [114, 'json'],
  [3802, 'jsonb'],
]);

/** The extended protocol refuses two statements in one text. */
function messageOf(statement: string): Uint8Array {
  const { serialize } = protocol;
  const parts = [
    serialize.parse({ text: statement }),
    serialize.bind({}),
    serialize.describe({ type: 'P' }),
    serialize.execute({}),
    serialize.sync(),
  ];
  const message = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    message.set(part, at);
    at += part.length;
  }
  return message;
}

export function engineOf({ database, hasFallen }: Started): Engine {
  let isOpen = false;

  function ask(statement: string): StatementResult & { typeIds: number[] } {
    const parser = new protocol.Parser();
    const result: StatementResult & { typeIds: number[]; status: string } = {
      table: null,
      tag: '',
      isCut: false,
      notices: [],
      failure: null,
      typeIds: [],
      status: '',
    };
    const onRawData = dropLarge(
      (bytes) => parser.parse(bytes, (message) => take(result, message)),
      () => {
        result.isCut = true;
      },
    );
    // Synchronous: the promise has nothing to wait for.
    void database.execProtocolRawStream(messageOf(statement), { syncToFs: false, onRawData }).catch(() => {});
    const { failure, status } = result;
    // PostgreSQL exits when its WAL finds no room, after reporting it.
    if (failure && hasFallen() && isRoom(failure.code)) throw new EngineFell('memory limit: no room');
    if (hasFallen() || status === '') throw new EngineFell('the engine gave no answer');
    isOpen = status !== 'I';
    // PostgreSQL counts characters, JavaScript UTF-16 units.
    if (failure?.at) failure.at = [...statement].slice(0, failure.at).join('').length;
    return result;
  }

  return {
    run(statement) {
      const { typeIds, ...result } = ask(statement);
      for (const [at, column] of (result.table?.columns ?? []).entries()) {
        const id = typeIds[at]!;
        column.type = TYPES.get(id) ?? '';
        if (column.type || result.failure) continue;
        const named = ask(`SELECT pg_catalog.format_type(${id}, NULL)`);
        column.type = named.table?.rows[0]?.[0] ?? '';
      }
      return result;
    },
    isInTransaction: () => isOpen,
    hasFallen,
    answersAgain() {
      // The library's buffer is JavaScript, which no mark resets: this empties it of half a message.
      messageOf('');
      return ask('SELECT 1').failure === null;
    },
  };
}

/** Drops large messages, and rows after too many bytes. */
function dropLarge(pass: (bytes: Uint8Array) => void, dropped: () => void): (bytes: Uint8Array) => void {
  let header = new Uint8Array(0);
  let left = 0;
  let isDropped = false;
  let passed = 0;
  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      if (left === 0) {
        const part = bytes.slice(at, at + HEADER_BYTES - header.length);
        header = Uint8Array.from([...header, ...part]);
        at += part.length;
        if (header.length < HEADER_BYTES) return;
        const view = new DataView(header.buffer);
        left = view.getUint32(1) - (HEADER_BYTES - 1);
        const isRow = view.getUint8(0) === 'D'.charCodeAt(0);
        isDropped = left > MESSAGE_BYTES || (isRow && passed > STATEMENT_BYTES);
        if (isDropped) dropped();
        else pass(header);
        passed += left;
        header = new Uint8Array(0);
      }
      const part = bytes.subarray(at, at + left);
      if (!isDropped && part.length > 0) pass(part.slice());
      at += part.length;
      left -= part.length;
    }
  };
}

type Message = Parameters<Parameters<InstanceType<typeof protocol.Parser>['parse']>[1]>[0];

function take(result: StatementResult & { typeIds: number[]; status: string }, message: Message): void {
  if (message instanceof protocol.messages.RowDescriptionMessage) {
    result.table = { columns: message.fields.map(({ name }) => ({ name, type: '' })), rows: [] };
    result.typeIds = message.fields.map(({ dataTypeID }) => dataTypeID);
  } else if (message instanceof protocol.messages.DataRowMessage) {
    if (result.table && result.table.rows.length < ROWS_KEPT) result.table.rows.push(message.fields);
    else result.isCut = true;
  } else if (message instanceof protocol.messages.CommandCompleteMessage) result.tag = message.text;
  else if (message instanceof protocol.messages.ReadyForQueryMessage) result.status = message.status;
  else if (message instanceof protocol.messages.NoticeMessage) {
    if (result.notices.length < 100) result.notices.push(String(message.message ?? ''));
  } else if (message instanceof protocol.messages.DatabaseError) {
    result.failure ??= {
      code: message.code ?? 'XX000',
      message: message.message,
      detail: message.detail ?? '',
      hint: message.hint ?? '',
      constraint: message.constraint ?? '',
      at: message.position ? Number(message.position) - 1 : null,
      isFromWithin: !message.position || Boolean(message.where),
    };
  }
}
