import { createHash } from 'node:crypto';

/**
 * Runs in the head before the first paint: `html[data-auth]` says "in" or "out", so that the header's two versions can
 * be chosen by CSS. A page rendered for this request already carries the server's answer, which is left alone.
 * It is plain text because a strict content security policy needs the hash of exactly these characters.
 */
export const headScript =
  "(()=>{const r=document.documentElement,s=()=>{let t;try{t=localStorage.getItem('auth_token')}catch{}" +
  "r.dataset.auth=t?'in':'out'};r.dataset.auth||s();addEventListener('auth:change',s);" +
  "addEventListener('storage',e=>{(e.key===null||e.key==='auth_token')&&s()})})()";

/** The hash of `headScript` for the content security policy. */
export const headScriptHash = `sha256-${createHash('sha256').update(headScript).digest('base64')}` as const;
