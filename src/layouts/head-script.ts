import { createHash } from 'node:crypto';

/**
 * Runs in the head before the first paint: `html[data-auth]` says "in" or "out", so that the header's two versions can
 * be chosen by CSS. A page rendered for this request already carries the server's answer, which is left alone.
 */
const authState =
  "const r=document.documentElement,s=()=>{let t;try{t=localStorage.getItem('auth_token')}catch{}" +
  "r.dataset.auth=t?'in':'out'};r.dataset.auth||s();" +
  "addEventListener('storage',e=>{(e.key===null||e.key==='auth_token')&&s()});";

/**
 * What a quick visitor does before the script of an island, or of another element with `ssr`, is there is kept for it. What is typed or ticked is told once more
 * when the island has woken, because a framework takes what its own state says for true; then the last form sent or
 * button pressed is sent or pressed again, down and up: menus and tabs answer to the first. A form with `data-island`
 * holds its values in the page: that it was sent is noted, and it makes up for it itself (`useForm`).
 *
 * The first of two `input` events has React take over the island's markup; the second must find another value than React
 * remembers, which only the element's own setter lets it forget.
 */
const earlyInput =
  'const again=([f,v])=>{const t=n=>f.dispatchEvent(new Event(n,{bubbles:true})),a=f.selectionStart,b=f.selectionEnd;' +
  "return()=>{t('input');if(v===!!v){if(v||f.type!=='radio'){f.checked=!v;f.click()}}else{if(f.type!=='file'){f.value='';" +
  "Object.getOwnPropertyDescriptor(Object.getPrototypeOf(f),'value').set.call(f,v);" +
  "a===null||f.setSelectionRange?.(a,b);t('input')}t('change')}}}," +
  "wake=e=>{const i=e.closest?.('astro-island,[ssr]');if(!i||i.early!==undefined||!i.hasAttribute('ssr'))return i?.early;" +
  "const h=i.early={typed:new Map()};new MutationObserver((_,o)=>{if(!i.hasAttribute('ssr')){o.disconnect();" +
  'setTimeout(()=>{i.early=null;[...h.typed].map(again).forEach(f=>f());h.act?.()})}})' +
  ".observe(i,{attributeFilter:['ssr']});return h};" +
  "addEventListener('input',e=>{const f=e.target;if(f.form?.dataset.island===undefined)" +
  'wake(f)?.typed.set(f,/^(checkbox|radio)$/.test(f.type)?f.checked:f.value)},true);' +
  "addEventListener('submit',e=>{const f=e.target,h=wake(f);if(h||f.dataset.island==='')e.preventDefault();" +
  "if(f.dataset.island==='')f.submittedEarly=true;else if(h)h.act=()=>f.requestSubmit()},true);" +
  "addEventListener('click',e=>{const b=e.target.closest?.('button');" +
  "if(b&&b.type!=='submit'){const h=wake(b),t=n=>b.dispatchEvent(new PointerEvent(n,{bubbles:true,cancelable:true}));" +
  "if(h)h.act=()=>{t('pointerdown');t('mousedown');b.click()}}},true);";

/** Plain text, because a strict content security policy needs the hash of exactly these characters. */
export const headScript = `(()=>{${authState}${earlyInput}})()`;

/** The hash of `headScript` for the content security policy. */
export const headScriptHash = `sha256-${createHash('sha256').update(headScript).digest('base64')}` as const;
