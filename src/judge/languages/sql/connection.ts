import { PGlite, protocol } from '@electric-sql/pglite';
import type { Table } from '#src/judge/comparing/tables.ts';

/** Rows of one statement that are kept; what comes beyond is counted and dropped. */
const ROWS_KEPT = 2_000;
/** Bytes of a message of the engine, such as a row, and of all of a statement: larger ones are dropped, unread. */
const MESSAGE_BYTES = 256 * 1024;
const STATEMENT_BYTES = 1_024 * 1024;
const HEADER_BYTES = 5;
/** Megabytes that the database may write to its files: more is "no space left", as on a full disk. */
const FILES_MB = 64;
/** 64 KB pages of memory: what the engine starts with, and as much again for a program. */
const MEMORY_PAGES = 4_096;
const MEMORY_PAGES_AT_FIRST = 2_048;
const NO_SPACE = 51;
/** Bytes. */
const WORTH_KEEPING = 16 * 1_048_576;

/** What PostgreSQL says of a statement that failed. */
export interface SqlFailure {
  code: string;
  message: string;
  detail: string;
  hint: string;
  constraint: string;
  /** Place in the statement, from 0; null where none is told. */
  at: number | null;
}

/** What a statement gave. */
export interface StatementResult {
  /** Null for a statement that gives no rows. */
  table: Table | null;
  /** As psql tells it: `INSERT 0 3`. */
  tag: string;
  /** Bytes of rows were dropped. */
  isCut: boolean;
  notices: string[];
  failure: SqlFailure | null;
}

/** A PostgreSQL of its own in this thread, spoken to as a client would. */
export interface Connection {
  run(statement: string): Promise<StatementResult>;
  /** Whether it has grown by more than what is worth keeping. */
  hasGrown(): boolean;
}

/** Types that lessons meet, as PostgreSQL calls them; others are asked for. */
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

/** Has all memory that is made from now on end at a bound, with which an allocation fails as on a small machine. */
function boundMemory(): void {
  const Memory = WebAssembly.Memory;
  WebAssembly.Memory = class extends Memory {
    constructor() {
      super({ initial: MEMORY_PAGES_AT_FIRST, maximum: MEMORY_PAGES });
    }
  };
}

interface MemoryFiles {
  expandFileStorage(node: { contents?: { length: number } | null }, size: number): void;
}

/** Has files in memory end at a bound of all of them together since the start. Gives by how many bytes they have grown. */
function boundFiles(database: PGlite): () => number {
  const files = database.Module.FS;
  // Where the library keeps its files in memory is told by its first folder alone.
  const { node } = files.lookupPath('/', {}) as unknown as { node: { mount: { type: MemoryFiles } } };
  const memory = node.mount.type;
  const expand = memory.expandFileStorage.bind(memory);
  let grown = 0;
  memory.expandFileStorage = (node, size) => {
    const before = node.contents?.length ?? 0;
    if (size > before && grown + size - before > FILES_MB * 1_048_576) {
      throw new files.ErrnoError(NO_SPACE);
    }
    expand(node, size);
    grown += (node.contents?.length ?? 0) - before;
  };
  return () => grown;
}

/** What makes a database: the engine, its files, and a prepared data folder. */
export interface DatabaseParts {
  engine: WebAssembly.Module;
  bundle: Uint8Array<ArrayBuffer>;
  data: Uint8Array<ArrayBuffer>;
}

/** Starts a database in this thread. */
export async function connect({ engine, bundle, data }: DatabaseParts): Promise<Connection> {
  boundMemory();
  const database = await PGlite.create({
    pgliteWasmModule: engine,
    fsBundle: new Blob([bundle]),
    loadDataDir: new Blob([data]),
  });
  const filesGrown = boundFiles(database);
  const unknown = new Map<number, string>();

  async function ask(statement: string): Promise<StatementResult & { typeIds: number[] }> {
    const parser = new protocol.Parser();
    const drop = dropLarge(
      (bytes) => parser.parse(bytes, (message) => take(result, message)),
      () => {
        result.isCut = true;
      },
    );
    const result: StatementResult & { typeIds: number[] } = {
      table: null,
      tag: '',
      isCut: false,
      notices: [],
      failure: null,
      typeIds: [],
    };
    await database.execProtocolRawStream(protocol.serialize.query(statement), {
      syncToFs: false,
      onRawData: drop,
    });
    const { failure } = result;
    // The engine itself fell, such as over its stack: what it is now nobody knows.
    if (result.tag === '' && !failure) throw new Error('the engine gave no answer');
    // PostgreSQL counts characters, a text here has two units for some of them.
    if (failure?.at) failure.at = [...statement].slice(0, failure.at).join('').length;
    return result;
  }

  return {
    async run(statement) {
      const { typeIds, ...result } = await ask(statement);
      for (const [at, column] of (result.table?.columns ?? []).entries()) {
        const id = typeIds[at]!;
        column.type = TYPES.get(id) ?? unknown.get(id) ?? '';
        if (column.type || result.failure) continue;
        const told = await ask(`SELECT pg_catalog.format_type(${id}, NULL)`);
        column.type = told.table?.rows[0]?.[0] ?? '';
        // A type of the program's own is another one in the next test.
        if (id < 10_000) unknown.set(id, column.type);
      }
      return result;
    },
    hasGrown: () =>
      filesGrown() > WORTH_KEEPING ||
      database.Module.HEAPU8.length > MEMORY_PAGES_AT_FIRST * 65_536 + WORTH_KEEPING,
  };
}

/** Passes on what the engine sends, but no message that is too large and no rows once there were too many bytes. */
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

function take(result: StatementResult & { typeIds: number[] }, message: Message): void {
  if (message instanceof protocol.messages.RowDescriptionMessage) {
    result.table = { columns: message.fields.map(({ name }) => ({ name, type: '' })), rows: [] };
    result.typeIds = message.fields.map(({ dataTypeID }) => dataTypeID);
  } else if (message instanceof protocol.messages.DataRowMessage) {
    if (result.table && result.table.rows.length < ROWS_KEPT) result.table.rows.push(message.fields);
    else result.isCut = true;
  } else if (message instanceof protocol.messages.CommandCompleteMessage) result.tag = message.text;
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
    };
  }
}
