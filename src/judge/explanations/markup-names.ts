export const HTML_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code col ' +
    'colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer form h1 h2 ' +
    'h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu ' +
    'meta meter nav noscript object ol optgroup option output p picture pre progress q rp rt ruby s samp script search ' +
    'section select slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th ' +
    'thead time title tr track u ul var video wbr'
  ).split(' '),
);

export const SVG_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'animate animatemotion animatetransform circle clippath defs desc ellipse filter foreignobject g image line ' +
    'lineargradient marker mask mpath path pattern polygon polyline radialgradient rect set stop switch symbol text ' +
    'textpath tspan use view'
  ).split(' '),
);

export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
);

const GLOBAL =
  'accesskey autocapitalize autofocus class contenteditable dir draggable enterkeyhint hidden id inert inputmode is ' +
  'itemid itemprop itemref itemscope itemtype lang nonce part popover role slot spellcheck style tabindex title translate';

const OWN: Record<string, string> = {
  a: 'download href hreflang ping referrerpolicy rel target type',
  area: 'alt coords download href rel shape target',
  audio: 'autoplay controls crossorigin loop muted preload src',
  blockquote: 'cite',
  body: 'onload',
  button:
    'command commandfor disabled form formaction formenctype formmethod formnovalidate formtarget name popovertarget popovertargetaction type value',
  canvas: 'height width',
  col: 'span',
  colgroup: 'span',
  data: 'value',
  del: 'cite datetime',
  details: 'name open',
  dialog: 'closedby open',
  embed: 'height src type width',
  fieldset: 'disabled form name',
  form: 'accept-charset action autocomplete enctype method name novalidate rel target',
  html: 'xmlns',
  iframe: 'allow allowfullscreen height loading name referrerpolicy sandbox src srcdoc width',
  img: 'alt crossorigin decoding fetchpriority height ismap loading referrerpolicy sizes src srcset usemap width',
  input:
    'accept alt autocomplete capture checked dirname disabled form formaction formenctype formmethod formnovalidate formtarget height list max maxlength min minlength multiple name pattern placeholder popovertarget readonly required size src step type value width',
  ins: 'cite datetime',
  label: 'for',
  li: 'value',
  link: 'as blocking color crossorigin disabled fetchpriority href hreflang imagesizes imagesrcset integrity media referrerpolicy rel sizes type',
  map: 'name',
  meta: 'charset content http-equiv media name property',
  meter: 'high low max min optimum value',
  object: 'data form height name type width',
  ol: 'reversed start type',
  optgroup: 'disabled label',
  option: 'disabled label selected value',
  output: 'for form name',
  progress: 'max value',
  q: 'cite',
  script: 'async blocking crossorigin defer fetchpriority integrity nomodule referrerpolicy src type',
  select: 'autocomplete disabled form multiple name required size',
  source: 'height media sizes src srcset type width',
  style: 'blocking media',
  table: 'border',
  td: 'colspan headers rowspan',
  template: 'shadowrootmode',
  textarea:
    'autocomplete cols dirname disabled form maxlength minlength name placeholder readonly required rows wrap',
  th: 'abbr colspan headers rowspan scope',
  time: 'datetime',
  track: 'default kind label src srclang',
  video: 'autoplay controls crossorigin height loop muted playsinline poster preload src width',
};

const globalAttributes = GLOBAL.split(' ');
const known = new Map<string, ReadonlySet<string>>();

export function attributesOf(element: string): ReadonlySet<string> {
  let names = known.get(element);
  if (!names) {
    names = new Set([...globalAttributes, ...(OWN[element]?.split(' ') ?? [])]);
    known.set(element, names);
  }
  return names;
}

export function elementsWith(attribute: string): string[] {
  return Object.keys(OWN).filter((element) => OWN[element]!.split(' ').includes(attribute));
}
