/** A decoded form body. A list is a group whose keys are indexes; `expand[]=x` gets the keys #0, #1… */
export type FormValue = string | FormGroup;
export interface FormGroup {
  [key: string]: FormValue;
}

const MAX_DEPTH = 8;

function emptyGroup(): FormGroup {
  // Without a prototype, so that a parameter called "__proto__" is an ordinary name.
  return Object.create(null) as FormGroup;
}

/** Null when the brackets do not fit together. */
function pathOf(name: string): string[] | null {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!match?.[1]) return null;
  const inner = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '');
  return inner.length < MAX_DEPTH ? [match[1], ...inner] : null;
}

/**
 * Decodes `application/x-www-form-urlencoded` text with bracket nesting (`metadata[order]=1`, `expand[]=x`,
 * `expand[0]=x`).
 */
export function decodeForm(text: string): { ok: true; group: FormGroup } | { ok: false; name: string } {
  const root = emptyGroup();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pathOf(name);
    if (!path) return { ok: false, name };
    let group = root;
    for (const [depth, raw] of path.entries()) {
      const key = raw === '' ? `#${Object.keys(group).length}` : raw;
      if (depth === path.length - 1) {
        group[key] = value;
        break;
      }
      const next = group[key];
      if (next === undefined) {
        const child = emptyGroup();
        group[key] = child;
        group = child;
      } else if (typeof next === 'string') {
        return { ok: false, name };
      } else {
        group = next;
      }
    }
  }
  return { ok: true, group: root };
}
