import type { Appearance } from '@stripe/stripe-js';

const DEFAULTS = {
  colorPrimary: '#1d4ed8',
  colorBackground: '#ffffff',
  colorText: '#1b2433',
  colorTextSecondary: '#566173',
  colorTextPlaceholder: '#6b7688',
  colorDanger: '#b42318',
  colorBorder: '#868f9e',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontSizeBase: '16px',
  borderRadius: '8px',
  spacingUnit: '4px',
  focusOutline: '',
  focusBoxShadow: '',
};

type Variables = typeof DEFAULTS;

const NIGHT: Partial<Variables> = {
  colorPrimary: '#8ab4ff',
  colorBackground: '#1f2733',
  colorText: '#f2f5f9',
  colorTextSecondary: '#b6c0ce',
  colorTextPlaceholder: '#98a4b5',
  colorDanger: '#ff9a90',
  colorBorder: '#7f8b9d',
};

/** Writes the appearance's variables as custom properties. */
export function applyAppearance(host: HTMLElement, appearance: Appearance | undefined): void {
  const given: Record<string, string | undefined> = { ...appearance?.variables };
  const border = appearance?.rules?.['.Input']?.borderColor;
  if (border && !given.colorBorder) given.colorBorder = border;
  const variables = { ...DEFAULTS, ...(appearance?.theme === 'night' ? NIGHT : {}) };
  for (const name of Object.keys(DEFAULTS) as (keyof Variables)[]) {
    const value = given[name] ?? variables[name];
    if (value) host.style.setProperty(`--${name}`, value);
    else host.style.removeProperty(`--${name}`);
  }
}

const FIELD_STYLE = `
:host { display: block; }
*, *::before, *::after { box-sizing: border-box; }
.form {
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: calc(var(--spacingUnit) * 4) calc(var(--spacingUnit) * 3);
  margin: 0; padding: 0; border: 0; min-width: 0;
  font-family: var(--fontFamily);
  font-size: var(--fontSizeBase);
  line-height: 1.4;
  color: var(--colorText);
}
.wide { grid-column: 1 / -1; }
.field { display: grid; align-content: start; gap: calc(var(--spacingUnit) * 1.5); min-width: 0; }
label { font-size: 0.875em; font-weight: 550; color: var(--colorText); }
.optional { font-weight: 400; color: var(--colorTextSecondary); }
.box { position: relative; }
input, select {
  display: block; width: 100%; min-height: 48px; margin: 0;
  padding: calc(var(--spacingUnit) * 2.5) calc(var(--spacingUnit) * 3.5);
  font: inherit; font-variant-numeric: tabular-nums; color: var(--colorText);
  background: var(--colorBackground);
  border: 1px solid var(--colorBorder);
  border-radius: var(--borderRadius);
  box-shadow: 0 1px 2px rgb(16 24 40 / 0.05);
  transition: border-color 120ms ease, box-shadow 120ms ease;
  appearance: none;
}
.number { padding-right: 8.5em; }
.cvc { padding-right: 3.25em; }
select { padding-right: 2.75em; text-overflow: ellipsis; cursor: pointer; }
input::placeholder { color: var(--colorTextPlaceholder); opacity: 1; }
input:hover:not(:focus, [aria-invalid='true'], :disabled), select:hover:not(:focus, :disabled) { border-color: var(--colorTextSecondary); }
input:focus-visible, select:focus-visible {
  outline: var(--focusOutline, 2px solid var(--colorPrimary)); outline-offset: -1px;
  border-color: var(--colorPrimary);
  box-shadow: var(--focusBoxShadow, 0 0 0 4px color-mix(in srgb, var(--colorPrimary) 18%, transparent));
}
input[aria-invalid='true'] { border-color: var(--colorDanger); color: var(--colorDanger); }
input[aria-invalid='true']:focus-visible { outline-color: var(--colorDanger); box-shadow: 0 0 0 4px color-mix(in srgb, var(--colorDanger) 16%, transparent); }
input:disabled, select:disabled { opacity: 0.65; cursor: not-allowed; }
.adorn { position: absolute; inset-block: 0; right: calc(var(--spacingUnit) * 3); display: flex; align-items: center; gap: 6px; pointer-events: none; color: var(--colorTextSecondary); }
.brand { display: inline-flex; align-items: center; gap: 6px; font-size: 0.8125em; font-weight: 600; white-space: nowrap; }
.glyph { width: 28px; height: 20px; flex: none; }
.brand:not([data-brand='unknown']) { color: var(--colorText); }
.brand:not([data-brand='unknown']) .glyph { color: var(--colorPrimary); }
.error { display: flex; gap: 6px; align-items: flex-start; margin: 0; font-size: 0.875em; line-height: 1.35; color: var(--colorDanger); }
.error[hidden] { display: none; }
.error svg { width: 1em; height: 1em; margin-top: 0.18em; flex: none; }
.notice { margin: 0; padding: calc(var(--spacingUnit) * 4); font-family: var(--fontFamily); font-size: var(--fontSizeBase); color: var(--colorDanger); border: 1px solid currentColor; border-radius: var(--borderRadius); }
@media (max-width: 21rem) { .field { grid-column: 1 / -1; } }
/* The digits matter more than the brand's name, which its sign tells too. */
@media (max-width: 30rem) { .number { padding-right: 3.25em; letter-spacing: -0.01em; } .brand .name { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); } }
@media (prefers-reduced-motion: reduce) { input, select { transition: none; } }
@media (forced-colors: active) { input[aria-invalid='true'] { border-width: 2px; } }
`;

const CHALLENGE_STYLE = `
*, *::before, *::after { box-sizing: border-box; }
dialog {
  width: min(27rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); margin: auto; padding: 0; overflow: auto;
  border: 0; border-radius: 14px; background: var(--colorBackground); color: var(--colorText);
  font-family: var(--fontFamily); font-size: var(--fontSizeBase); line-height: 1.5;
  box-shadow: 0 24px 60px rgb(15 23 42 / 0.32);
}
dialog::backdrop { background: rgb(15 23 42 / 0.55); }
dialog:focus-visible { outline: none; }
.bar { display: flex; align-items: center; gap: 10px; padding: 16px 16px 0 24px; }
.bar h2 { flex: 1; margin: 0; font-size: 1.125em; line-height: 1.3; font-weight: 650; }
.body { padding: 8px 24px 24px; }
p { margin: 0 0 16px; color: var(--colorTextSecondary); }
dl { display: grid; grid-template-columns: auto 1fr; gap: 6px 16px; margin: 0 0 20px; padding: 14px 16px; border: 1px solid var(--colorBorder); border-radius: 10px; }
dt { color: var(--colorTextSecondary); }
dd { margin: 0; text-align: right; font-weight: 600; font-variant-numeric: tabular-nums; }
.actions { display: grid; gap: 10px; }
button { font: inherit; font-weight: 600; min-height: 46px; padding: 8px 16px; border-radius: var(--borderRadius); border: 1px solid var(--colorBorder); background: transparent; color: var(--colorText); cursor: pointer; }
button.primary { background: var(--colorPrimary); border-color: var(--colorPrimary); color: var(--colorBackground); }
button.close { min-height: 44px; width: 44px; padding: 0; border-color: transparent; font-size: 1.375em; font-weight: 400; line-height: 1; color: var(--colorTextSecondary); }
button:hover:not(:disabled) { filter: brightness(0.94); }
button.close:hover, button.plain:hover { background: color-mix(in srgb, var(--colorText) 7%, transparent); filter: none; }
button:focus-visible { outline: 3px solid var(--colorPrimary); outline-offset: 2px; }
button:disabled { opacity: 0.6; cursor: progress; }
.status { margin: 14px 0 0; min-height: 1.5em; font-size: 0.9375em; color: var(--colorDanger); }
.status:empty { margin: 0; min-height: 0; }
`;

function sheetOf(css: string): () => CSSStyleSheet {
  let sheet: CSSStyleSheet | undefined;
  return () => {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
    }
    return sheet;
  };
}

export const fieldStyle = sheetOf(FIELD_STYLE);
export const challengeStyle = sheetOf(CHALLENGE_STYLE);
