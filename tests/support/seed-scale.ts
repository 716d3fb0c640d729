import { sql } from 'drizzle-orm';
import { db, sqlClient, takeTime } from '#db/client.ts';
import { makeCategories } from './factories.ts';

/** Courses that one run adds at most. */
export const SCALE_COURSES_MAX = 1_000_000;
/** How the slugs of generated courses begin, so that they can be told from real ones. */
export const SCALE_SLUG_PREFIX = 'scale-';

const BATCH = 25_000;
const REVIEWERS = 400;
const LESSONS_PER_COURSE = 3;

/** A category's part of the catalogue and what its courses are about, the most frequent first. */
type Field = { category: number; share: number; topics: string[] };

const words = (text: string) => text.split(',').map((word) => word.trim());

const FIELDS: Field[] = [
  {
    category: 1,
    share: 0.4,
    topics: words(
      `Python, JavaScript, Web Development, Java, React, SQL, Machine Learning, Data Analysis, TypeScript, Node.js, C#, C++, Go, Rust, Kotlin, Swift, PHP, Ruby on Rails, Django, Flask, Angular, Vue, Svelte, GraphQL, REST APIs, PostgreSQL, MongoDB, Redis, Docker, Kubernetes, Linux, Bash Scripting, Git, Cloud Architecture, Data Engineering, Deep Learning, Natural Language Processing, Computer Vision, Statistics, Algorithms, Data Structures, System Design, Microservices, Unit Testing, Test Automation, Cyber Security, Ethical Hacking, Cryptography, Blockchain, Game Development, Unity, Embedded Systems, Arduino, Robotics, Mobile Apps, Android, iOS, Flutter, Functional Programming, Haskell, Scala, Elixir, Compilers, Operating Systems, Networking, WebAssembly, CSS, HTML, Accessibility, Web Performance, DevOps, Terraform, Observability`,
    ),
  },
  {
    category: 2,
    share: 0.24,
    topics: words(
      `Project Management, Excel, Leadership, Accounting, Entrepreneurship, Negotiation, Business Analysis, Financial Modeling, Communication Skills, Public Speaking, Product Management, Agile and Scrum, Strategy, Operations, Supply Chains, Human Resources, Recruiting, Sales, Customer Service, Investing, Corporate Finance, Economics, Business Law, Contract Basics, Startups, Fundraising, Team Building, Remote Work, Time Management, Decision Making, Risk Management, Change Management, Business Writing, Power BI, Tableau, Bookkeeping, Payroll, Procurement, Quality Management, Lean Methods`,
    ),
  },
  {
    category: 3,
    share: 0.15,
    topics: words(
      `Graphic Design, User Experience, Interface Design, Figma, Photoshop, Illustrator, Typography, Color Theory, Logo Design, Branding, Web Design, Motion Graphics, Animation, Blender, 3D Modeling, Product Design, Design Systems, Wireframing, Prototyping, Design Thinking, Interior Design, Architecture Drawing, Drawing, Digital Painting, Character Design, Infographics, Layout, Packaging Design, Fashion Design, Sketching`,
    ),
  },
  {
    category: 4,
    share: 0.13,
    topics: words(
      `Digital Marketing, Search Engine Optimization, Content Marketing, Social Media, Email Marketing, Copywriting, Google Analytics, Brand Strategy, Advertising, Influencer Marketing, Marketing Automation, Growth Hacking, Market Research, Video Marketing, Affiliate Marketing, Conversion Optimization, Public Relations, Event Marketing, Pricing, Customer Journeys, Community Building, Podcasting, Storytelling, Landing Pages, Newsletters`,
    ),
  },
  {
    category: 5,
    share: 0.08,
    topics: words(
      `Portrait Photography, Landscape Photography, Lightroom, Photo Editing, Street Photography, Wedding Photography, Studio Lighting, Composition, Food Photography, Product Photography, Night Photography, Wildlife Photography, Macro Photography, Black and White, Film Photography, Drone Photography, Smartphone Photography, Videography, Travel Photography, Architecture Photography`,
    ),
  },
];

const SHAPES = [
  '%s for Beginners',
  'The Complete %s Course',
  'Practical %s',
  '%s from Scratch',
  'Introduction to %s',
  'Advanced %s',
  '%s in Practice',
  'Mastering %s',
  '%s Essentials',
  '%s Step by Step',
  'Learn %s by Building Projects',
  '%s for Professionals',
  'The %s Handbook',
  'Modern %s',
  '%s Fundamentals',
  '%s Crash Course',
  '%s Workshop',
  'Hands-On %s',
  'Everyday %s',
  '%s: Patterns and Pitfalls',
  '%s Interview Preparation',
  '%s Certification Guide',
  'A Week of %s',
  'Thinking in %s',
];

const ADDITIONS = [
  '',
  '',
  '',
  ' with Real Projects',
  ' and Best Practices',
  ' for Teams',
  ' for Freelancers',
  ' for Small Companies',
  ': Part One',
  ': Part Two',
  ' with Exercises',
  ' in Thirty Days',
  ' for Students',
  ' and Testing',
  ' at Work',
  ' for Career Changers',
  ' without the Jargon',
  ' and Automation',
  ': From Idea to Result',
  ' for Managers',
];

const SENTENCES = [
  'Every lesson ends with an exercise whose result you keep.',
  'You start with a blank page and finish with something that works.',
  'The examples come from day-to-day work, with their rough edges.',
  'Common mistakes are shown first, then how to find and mend them.',
  'No previous knowledge is needed beyond a computer and some patience.',
  'You should be at ease with the basics before you begin.',
  'Short lessons fit between meetings; longer ones go into depth.',
  'A checklist at the end of each section helps you apply it the next day.',
  'You compare three ways to solve the same problem and learn when to choose which.',
  'Templates and worksheets come with the lessons.',
  'The last section plans, builds and reviews a project of your own.',
  'Vocabulary is explained where it is first used.',
  'Reviews of finished work show what separates good from acceptable.',
  'You learn to measure the outcome instead of guessing it.',
  'Old habits that no longer pay off are named and replaced.',
  'The course follows one case from the first question to the final report.',
];

/** A number from 0 up to 1 that depends on the course's number and a name alone, so that runs agree. */
const chance = (name: string) =>
  sql.raw(`((('x' || substr(md5(n || '${name}'), 1, 8))::bit(32)::bigint) / 4294967296.0)`);

/**
 * Brings the number of generated courses to `courses`, for tests of scale: titles as a marketplace has them, a few
 * courses with very many students and a long tail with few, three lessons each, and ratings that their review rows
 * add up to. Reviewers are accounts that cannot sign in; the numbers of students stand for themselves.
 *
 * @returns how many were added
 */
export async function seedScale(courses: number): Promise<number> {
  await makeCategories();
  const [present] = await sqlClient()<{ last: number }[]>`
    select coalesce(max(substr(slug, ${SCALE_SLUG_PREFIX.length + 1}::int)::int), 0) as last
    from courses where slug ~ ${`^${SCALE_SLUG_PREFIX}[0-9]+$`}`;
  const first = present!.last + 1;
  for (let from = first; from <= courses; from += BATCH) {
    await addBatch(from, Math.min(courses, from + BATCH - 1), courses);
  }
  if (first <= courses) {
    // Lists are read from indexes alone once the pages are known to hold nothing but visible rows.
    const connection = await sqlClient().reserve();
    try {
      await connection`set statement_timeout = 0`;
      await connection.unsafe(
        'vacuum (analyze) courses, lessons, course_reviews, course_counts, search_words, users',
        [],
        { patient: true },
      );
      await connection`reset statement_timeout`;
    } finally {
      connection.release();
    }
  }
  return Math.max(0, courses - first + 1);
}

async function addBatch(from: number, to: number, size: number): Promise<void> {
  let upTo = 0;
  const fields = FIELDS.map(({ share, ...field }) => {
    upTo += share;
    return { ...field, upTo };
  });
  await db().transaction(async (tx) => {
    await takeTime(tx);
    await tx.execute(sql`
      insert into courses (slug, title, description, price_cents, original_price_cents, duration, level, category_id,
        students_count, created_at)
      with fields as (
        select category, "upTo", topics
        from jsonb_to_recordset(${JSON.stringify(fields)}::jsonb) as f(category int, "upTo" float8, topics jsonb)
      ), drawn as (
        select n, f.category,
          -- Half of a category is about its first few topics.
          f.topics ->> floor(jsonb_array_length(f.topics) * power(${chance('topic')}, 1.8))::int as topic,
          ${sql.param(SHAPES)}::text[] as shapes, ${sql.param(ADDITIONS)}::text[] as additions,
          ${sql.param(SENTENCES)}::text[] as sentences,
          1 + floor(${SHAPES.length}::int * ${chance('shape')})::int as shape,
          1 + floor(${ADDITIONS.length}::int * ${chance('addition')})::int as addition,
          1 + floor(${SENTENCES.length}::int * ${chance('a')})::int as a,
          1 + floor(${SENTENCES.length}::int * ${chance('b')})::int as b,
          -- A prime above every size: no two courses of a run share a place in the ranking.
          1 + (n::bigint * 15485863) % ${size}::int as rank,
          900 + 100 * floor(power(${chance('price')}, 2) * 190)::int as price,
          ${chance('sale')} as sale, ${chance('level')} as level, ${chance('hours')} as hours, ${chance('age')} as age
        from generate_series(${from}::int, ${to}::int) as n
        cross join lateral (
          select * from fields where "upTo" >= least(${chance('field')}, 0.9999) order by "upTo" limit 1
        ) as f
      )
      select ${SCALE_SLUG_PREFIX}::text || n,
        format(shapes[shape], topic) || additions[addition],
        format('What you need of %s to work with it with confidence. %s %s', topic, sentences[a], sentences[b]),
        price + 99, case when sale < 0.4 then (price + 99) * 2 end,
        (1 + floor(power(hours, 2) * 60)::int) || ' hours',
        (case when level < 0.55 then 'beginner' when level < 0.87 then 'intermediate' else 'advanced' end),
        category, floor(250000 * power(rank, -0.9))::int,
        now() - age * interval '1500 days'
      from drawn`);
    await tx.execute(sql`
      insert into lessons (course_id, title, section, type, content, duration, "order", is_preview, points)
      select c.id, part.title, 'Start', 'text', part.title || ' of ' || c.title || '.', '10 min', part.place, part.place = 1, 5
      from courses c
      cross join unnest(array['The aim', 'The method', 'The result']) with ordinality as part(title, place)
      where c.slug = any (select ${SCALE_SLUG_PREFIX}::text || n from generate_series(${from}::int, ${to}::int) as n)
        and part.place <= ${LESSONS_PER_COURSE}::int`);
    await tx.execute(sql`
      insert into users (username, email)
      select 'Reviewer ' || n, 'reviewer-' || n || '@scale.example.com' from generate_series(1, ${REVIEWERS}::int) as n
      on conflict do nothing`);
    await tx.execute(sql`
      with made as (
        select c.id, c.students_count, substr(c.slug, ${SCALE_SLUG_PREFIX.length + 1}::int)::int as n
        from courses c
        where c.slug = any (select ${SCALE_SLUG_PREFIX}::text || n from generate_series(${from}::int, ${to}::int) as n)
      ), reviewers as (
        select id, row_number() over (order by id) as place from users where email like 'reviewer-%@scale.example.com'
      ), written as (
        insert into course_reviews (user_id, course_id, rating, created_at)
        select r.id, m.id,
          greatest(1, least(5, round(3.4 + 1.5 * ${chance('quality')}
            + 2.4 * (('x' || substr(md5(m.n || '/' || r.place), 1, 8))::bit(32)::bigint / 4294967296.0 - 0.5))))::int,
          now() - (r.place + 1) * interval '1 day'
        from made m
        join reviewers r on r.place <= least(${REVIEWERS}::int, m.students_count / 150)
        returning course_id, rating
      ), sums as (select course_id, round(avg(rating), 2) as rating, count(*)::int as reviews from written group by 1)
      update courses c set rating = s.rating, review_count = s.reviews from sums s where c.id = s.course_id`);
  });
}
