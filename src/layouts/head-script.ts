import { createHash } from 'node:crypto';

/**
 * Runs in the head before the first paint: `html[data-auth]` says "in" or "out", so that the header's two versions can
 * be chosen by CSS. A page rendered for this request already carries the server's answer, which is left alone.
 */
const authState =
  "const r=document.documentElement,s=()=>{let t;try{t=localStorage.getItem('auth_token')}catch{}" +
  "r.dataset.auth=t?'in':'out'};r.dataset.auth||s();addEventListener('auth:change',s);" +
  "addEventListener('storage',e=>{(e.key===null||e.key==='auth_token')&&s()});";

/**
 * What a quick visitor does before an island's script is there is kept for it: a form that would be sent past its
 * island is held back and noted (`useForm` makes up for it), and a click on a button of an island that sleeps is
 * repeated when it has woken.
 */
const earlyInput =
  "addEventListener('submit',e=>{const f=e.target;if(f.dataset.island===''){e.preventDefault();f.submittedEarly=true}},true);" +
  "addEventListener('click',e=>{const b=e.target.closest?.('button'),i=b?.closest('astro-island[ssr]');" +
  "if(!i||b.type==='submit'||i.held)return;i.held=true;" +
  "new MutationObserver((_,o)=>{if(!i.hasAttribute('ssr')){o.disconnect();setTimeout(()=>b.click())}})" +
  ".observe(i,{attributeFilter:['ssr']})},true);";

/** Plain text, because a strict content security policy needs the hash of exactly these characters. */
export const headScript = `(()=>{${authState}${earlyInput}})()`;

/** The hash of `headScript` for the content security policy. */
export const headScriptHash = `sha256-${createHash('sha256').update(headScript).digest('base64')}` as const;
