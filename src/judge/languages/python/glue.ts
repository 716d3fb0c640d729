const USED_HERE = `
  PyUnicode_FromStringAndSize PyUnicode_AsUTF8AndSize PyObject_CallOneArg PyObject_CallNoArgs PyTuple_New
  PyTuple_SetItem PyTuple_GetItem PyTuple_Size PyEval_EvalCode PyErr_GetRaisedException PyErr_Clear PyRun_SimpleString
  Py_IncRef Py_DecRef _Py_NoneStruct Py_EMSCRIPTEN_SIGNAL_HANDLING malloc free
`
  .trim()
  .split(/\s+/);

function replaceOnce(text: string, search: string, replacement: string): string {
  const at = text.indexOf(search);
  if (at < 0 || text.includes(search, at + search.length)) {
    throw new Error(`pyodide's glue is not as expected: ${search.slice(0, 60)}`);
  }
  return text.slice(0, at) + replacement + text.slice(at + search.length);
}

function between(text: string, from: string, to: string): [number, number] {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start);
  if (start < 0 || end < 0) throw new Error(`pyodide's glue is not as expected: ${from}`);
  return [start, end];
}

/** Without the bridge to JavaScript, packages and loading of code. */
export function adaptGlue(source: string, exports: string[]): { script: string; needed: Set<string> } {
  let text = replaceOnce(source, 'export default _createPyodideModule;', '');
  text = text.replaceAll('import.meta.url', '"file:///interpreter"');
  text = replaceOnce(
    text,
    'var ENVIRONMENT_IS_SHELL=!ENVIRONMENT_IS_WEB&&!ENVIRONMENT_IS_NODE&&!ENVIRONMENT_IS_WORKER',
    'var ENVIRONMENT_IS_SHELL=false',
  );
  text = replaceOnce(text, 'pyodide_js_init();pyodide_js_init.sig', 'pyodide_js_init.sig');
  // Nothing is linked at run time, so nobody needs the addresses of the exports.
  text = replaceOnce(text, 'updateGOT(origExports);LDSO.init();loadDylibs();', '');
  // addFunction would first look through the whole table of the module.
  text = replaceOnce(
    text,
    'return addFunction(trampolineInstance.exports.trampoline_call)',
    'var slot=wasmTable.grow(1);wasmTable.set(slot,trampolineInstance.exports.trampoline_call);return slot',
  );

  const [start, end] = between(text, 'function assignWasmExports(', 'var wasmImports=');
  const declarations = text.lastIndexOf('var _set_method_docstring', start);
  const others = text.slice(0, declarations) + text.slice(end);
  const words = new Set(others.match(/[A-Za-z_$][\w$]*/g));
  const needed = new Set(
    exports.filter((name) => words.has(`_${name}`) || words.has(name) || USED_HERE.includes(name)),
  );
  for (const name of USED_HERE) if (!needed.has(name)) throw new Error(`the interpreter has no ${name}`);
  const opening = text.indexOf('{', start) + 1;
  const closing = text.lastIndexOf('}', end);
  const assignments = text
    .slice(opening, closing)
    .split(';')
    .filter((statement) => {
      const name = /wasmExports\["([^"]+)"\]/.exec(statement)?.[1];
      return !name || needed.has(name);
    })
    .join(';');
  text = text.slice(0, opening) + assignments + text.slice(closing);
  return { script: `${text}\n;globalThis.createPyodideModule=_createPyodideModule;\n`, needed };
}
