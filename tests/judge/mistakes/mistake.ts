/** Where a mistake was found; null for one that comes from the lessons' own learners and authors. */
export type List = keyof typeof LISTS | null;

/** Public lists of what learners get wrong. The programs below are our own. */
export const LISTS = {
  mdnErrors: 'https://developer.mozilla.org/docs/Web/JavaScript/Reference/Errors/',
  mdnHowto: 'https://developer.mozilla.org/docs/Learn/JavaScript/Howto',
  gotchas: 'https://www.digitalocean.com/community/tutorials/js-gotchas',
  typical: 'https://photics.com/five-typical-programming-mistakes-for-beginners/2/',
  pitfalls: 'https://deepwiki.com/sudheerj/javascript-interview-questions/3.3-common-javascript-pitfalls',
  braces: 'https://morioh.com/p/6d5be114f002',
  foreach: 'https://cda.needemand.com/2021/12/05/difference-between-foreach-map-filter/',
  eight: 'https://www.dummies.com/programming/python/8-common-python-programming-errors/',
  kinds:
    'https://pythonkb.com/python-why-does-python-report-syntax-errors-before-their-execution-point-is-reached',
  hello: 'https://doi.org/10.1145/3502718.3524809',
  wrong: 'https://runestone.academy/ns/books/published//py4e-int/intro/goWrong.html',
  blocks: 'https://makemeengr.com/what-to-do-with-unexpected-indent-in-python',
  runtime: 'https://altcademy.com/blog/what-is-a-runtime-error-in-python',
  inPlace:
    'https://interviewstacks.com/stacks/python/collections-data-structures/whats-the-difference-between-listsort-and-sorted-and-how-do-custom-sort-keys-work',
  practise: 'https://github.com/vijayasimhamenati/PythonPractise',
  forge: 'https://thecodeforge.io/python/common-python-mistakes-every-developer-should-know',
  fifteen: 'https://prepfor.tech/python-junior/15-top-pitfalls',
  skillset: 'https://pythonskillset.com/articles/8-common-python-mistakes-junior-developers/',
  venture: 'https://myventurepad.com/common-beginner-mistakes-in-python/',
  gotchasPy: 'https://alumniagri.in/task/what-are-common-programming-errors-or-gotchas-in-python-9096142',
  bootcamp: 'https://designselement.com/react/common-beginner-mistakes',
  stumbling: 'https://daveceddia.com/react-gotchas/',
  state: 'https://jsschools.com/react/state-pitfalls',
  gotcha: 'https://devcraftly.com/react/common-mistakes/',
  jsx: 'https://coddingquestionhub.com/topics/react/components-jsx.html',
  properties: 'https://react-saas-course.pages.dev/017-jsx-and-html-semantics/1-jsx-as-property-syntax/',
  markup: 'https://www.codesyllabus.com/courses/frontend/html/html-common-errors',
  authors: 'http://www.hybridelephant.com/tutorial/mistakes.html',
  closing: 'https://flyriver.com/g/missing-closing-tags',
  rules: 'https://chnn-anne.gitbook.io/mern-stack/building-an-article/important-rules-concepts',
  silent: 'https://learncodelive.pages.dev/css/tutorials/errorHandling',
  handling: 'https://flaviocopes.com/css-error-handling/',
  core: 'https://www.netverks.com/css/core-css-syntax',
  structure: 'https://flyriver.com/s/invalid-html-structure',
  taxonomy: 'http://htmltypos.com/viewtypo.php?id=21',
  koleji: 'https://www.codingkoleji.com/css-tutorial/css-error-handling',
  sqlCommon: 'https://compilenrun.com/docs/language/sql/sql-best-practices/sql-common-mistakes',
  sqlWhere: 'https://www.sql-practice.online/learning/sql-fundamentals/where-clause-filtering/mistakes',
  sqlTricky:
    'https://www.hintstoday.com/comprehensive-guide-to-important-points-and-tricky-conceptual-issues-in-sql',
  sqlClassical: 'https://markokello.com/blog/sql-series-1',
  sqlSyntax: 'https://www.flyriver.com/q/query-syntax-errors',
  sqlQuotes: 'https://www.flyriver.com/g/incorrect-sql',
  sqlFive: 'https://guatda.com/cmx.pwww.slideshare.net/mbrych/five-common-sql-errors',
  sqlComma: 'https://campus.datacamp.com/courses/intermediate-sql/selecting-data?ex=5',
  sqlCauses: 'https://deepdatawithmivaa.com/what-causes-sql-errors',
  sqlIntro: 'https://thecodeforge.io/database/introduction-sql/',
  sqlMisconceptions: 'https://corner.buka.sh/top-10-common-misconceptions-when-learning-sql-in-mysql',
  sqlDialect: 'https://pgref.dev/blog/mysql-to-postgresql-migration-guide',
  sqlDialects: 'https://datafield.dev/sql/appendices/appendix-j-dialect-differences.html',
  sqlConvert: 'https://toolu.me/sql-to-postgresql-converter',
} as const;

/**
 * A beginner's program and what it is told: the mistake, the list it is on, the program, its test as
 * `input → expected`, what the headline says, and what the hint says.
 */
export type Mistake = [what: string, list: List, code: string, test: string, headline: RegExp, hint: RegExp];
