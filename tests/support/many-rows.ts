import type postgres from 'postgres';

/**
 * Fills a database for lists at scale by a few statements: so many users, one order and one enrollment for each, and as
 * many entries of the audit log, messages and mails as a tenth of that. Names repeat as they do among people; a few
 * orders are in every state.
 *
 * @param count at least 1,000
 */
export async function makeManyRows(sql: postgres.Sql, count: number): Promise<void> {
  // Longer than the site allows a statement: it never writes so many rows.
  await sql`set statement_timeout = '120s'`;
  await sql`
    insert into courses (slug, title, description, price_cents, level, category_id, students_count)
    select 'many-' || n, 'Course ' || n || ' on a subject worth its title', 'What one learns here.', 4900, 'beginner', 1, n
    from generate_series(1, 100) n`;
  await sql`
    insert into users (username, email, role, email_verified_at, created_at)
    select first || ' ' || last, lower(first) || '.' || lower(last) || n || '@' || domain,
      (case when n % 5000 = 0 then 'admin' else 'student' end), now(), now() - n * interval '3 minutes'
    from (
      select n, (array['Ada','Grace','Mary','Dorothy','Katherine','Alan','Edsger','Barbara','Radia','Margaret','Tim','Linus','Ken','Dennis','Donald','Frances','Jean','Hedy','Annie','Joan'])[1 + n % 20] as first,
        (array['Lovelace','Hopper','Jackson','Vaughan','Johnson','Turing','Dijkstra','Liskov','Perlman','Hamilton','Lee','Torvalds','Thompson','Ritchie','Knuth','Allen','Sammet','Lamarr','Easley','Clarke','Wilkes','Hoare','Kay'])[1 + (n / 20) % 23] as last,
        (array['example.com','example.org','example.net'])[1 + n % 3] as domain
      from generate_series(1, ${count}::int) n) people`;
  await sql`
    insert into orders (user_id, buyer_email, buyer_first_name, buyer_last_name, total_cents, status, fingerprint, invoice_number, completed_at, created_at)
    select u.id, u.email, split_part(u.username, ' ', 1), split_part(u.username, ' ', 2), 4900, s.status, 'many-' || u.n,
      case when s.paid then 'INV-2020-' || lpad(u.n::text, 6, '0') end, case when s.paid then u.created_at end, u.created_at
    from (select *, row_number() over (order by id desc)::int as n from users where email like '%@example.%') u
    cross join lateral (
      select (case when u.n % 200 = 3 then 'refunded' when u.n % 200 = 5 then 'disputed' when u.n % 50 = 7 then 'expired'
          when u.n % 2000 = 9 then 'failed' else 'completed' end) as status,
        not (u.n % 50 = 7 or u.n % 2000 = 9) as paid) s`;
  await sql`
    insert into order_flags (order_id, kind, subject)
    select id, 'other', 'payment does not fit' from orders where fingerprint like 'many-%' and substr(fingerprint, 6)::int % 9000 = 1`;
  await sql`
    insert into order_items (order_id, course_id, price_cents, list_price_cents, title)
    select o.id, c.id, 4900, 4900, c.title
    from orders o join (select id, title, row_number() over (order by id) - 1 as place from courses where slug like 'many-%') c
      on c.place = o.id % 100
    where o.fingerprint like 'many-%'`;
  await sql`
    insert into enrollments (user_id, course_id, order_item_id, enrolled_at, progress, last_accessed_at)
    select o.user_id, i.course_id, i.id, o.created_at, o.id % 100, case when o.id % 3 > 0 then now() - interval '1 day' end
    from orders o join order_items i on i.order_id = o.id
    where o.fingerprint like 'many-%' and o.status in ('completed', 'disputed')`;
  const tenth = Math.floor(count / 10);
  await sql`
    insert into audit_log (actor_name, action, subject_type, subject_id, reason, details, at)
    select 'Grace Hopper ' || n % 7, 'enrollment.granted', 'user', n::text, 'Reason ' || n, '{"email": "a@example.com"}', now()
    from generate_series(1, ${tenth}::int) n`;
  await sql`
    insert into contact_messages (first_name, last_name, email, subject, message, status)
    select 'Ada', 'Lovelace', 'ada' || n || '@example.com', 'A question', 'What does it cost for ten people?',
      (array['new','read','replied','spam'])[1 + n % 4]
    from generate_series(1, ${tenth}::int) n`;
  await sql`
    insert into mail_outbox (template, recipient, subject, text, status, sent_at)
    select 'receipt', 'ada' || n || '@example.com', 'Receipt', 'Thank you.', (case when n % 500 = 0 then 'failed' else 'sent' end), now()
    from generate_series(1, ${tenth}::int) n`;
  await sql`reset statement_timeout`;
  // As autovacuum does after so many rows: counts are then answered by indexes alone.
  await sql`vacuum (analyze)`;
}
