-- No enum from here on: text with a check. What is left of enums, a database that applied 0030 or 0056 as they were has more
-- of them, is read from the catalogue; so are the indexes, checks and triggers that name a value of one.
SET CONSTRAINTS ALL IMMEDIATE;--> statement-breakpoint
DROP FUNCTION course_about(integer, course_level, integer);--> statement-breakpoint
DO $$
DECLARE
  enums oid[] := (SELECT array_agg(oid) FROM pg_type WHERE typtype = 'e' AND typnamespace = 'public'::regnamespace);
  casts text := (SELECT '::(public\.)?(' || string_agg(typname, '|') || ')\M' FROM pg_type WHERE oid = ANY (enums));
  statements text[];
  statement text;
BEGIN
  WITH columns AS (
    SELECT a.attrelid AS relation, a.attnum AS number, quote_ident(a.attname) AS name,
      CASE WHEN t.typelem = 0 THEN 'text' ELSE 'text[]' END AS type, pg_get_expr(d.adbin, d.adrelid) AS value
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r'
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE t.oid = ANY (enums) OR t.typelem = ANY (enums) AND t.typcategory = 'A'
  ), dependents AS (
    SELECT format('DROP INDEX %s', indexrelid::regclass) AS away, pg_get_indexdef(indexrelid) AS back
    FROM pg_index WHERE indrelid IN (SELECT relation FROM columns) AND pg_get_indexdef(indexrelid) ~ casts
    UNION ALL
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE contype = 'c' AND conrelid IN (SELECT relation FROM columns) AND pg_get_constraintdef(oid) ~ casts
    UNION ALL
    SELECT DISTINCT format('DROP TRIGGER %I ON %s', g.tgname, g.tgrelid::regclass), pg_get_triggerdef(g.oid)
    FROM pg_trigger g JOIN pg_depend d ON d.classid = 'pg_trigger'::regclass AND d.objid = g.oid
    JOIN columns c ON d.refclassid = 'pg_class'::regclass AND d.refobjid = c.relation AND d.refobjsubid = c.number
    WHERE NOT g.tgisinternal
  ), changes AS (
    SELECT format('ALTER TABLE %s ', relation::regclass) || string_agg(
        CASE WHEN value IS NULL THEN '' ELSE format('ALTER %s DROP DEFAULT, ', name) END
        || format('ALTER %1$s TYPE %2$s USING %1$s::%2$s', name, type)
        || CASE WHEN value IS NULL THEN '' ELSE format(', ALTER %s SET DEFAULT %s', name, regexp_replace(value, casts, '::text', 'g')) END,
        ', ') AS change,
      -- The columns have no statistics afterwards.
      format('ANALYZE %s', relation::regclass) AS reading
    FROM columns GROUP BY relation
  )
  SELECT coalesce((SELECT array_agg(away) FROM dependents), '{}') || (SELECT array_agg(change) FROM changes)
    || (SELECT array_agg(format('DROP TYPE %s', oid::regtype)) FROM pg_type WHERE oid = ANY (enums))
    || coalesce((SELECT array_agg(regexp_replace(back, casts, '::text', 'g')) FROM dependents), '{}')
    || (SELECT array_agg(reading) FROM changes)
  INTO statements;
  FOREACH statement IN ARRAY statements LOOP
    EXECUTE statement;
  END LOOP;
END $$;
--> statement-breakpoint
CREATE FUNCTION course_about(course integer, level text, price_cents integer) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws(' ', level, CASE WHEN price_cents = 0 THEN 'free' END, 'certificate', (
    SELECT string_agg(DISTINCT concat_ws(' ', coding_language, CASE type
      WHEN 'interactive_coding' THEN 'coding exercise'
      WHEN 'scenario' THEN 'simulation scenario'
      ELSE type END), ' ')
    FROM lessons WHERE course_id = course))
$$;
--> statement-breakpoint
ALTER TABLE "admin_requests" ADD CONSTRAINT "admin_requests_status_value" CHECK ("admin_requests"."status" in ('open', 'approved', 'declined'));--> statement-breakpoint
ALTER TABLE "auth_challenges" ADD CONSTRAINT "auth_challenges_purpose_value" CHECK ("auth_challenges"."purpose" in ('second_factor', 'passkey_sign_in', 'add_passkey', 'proof'));--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_kind_value" CHECK ("sessions"."kind" in ('bearer', 'cookie'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_role_value" CHECK ("users"."role" in ('student', 'admin'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_scenario_time_value" CHECK ("users"."scenario_time" in ('usual', 'half_more', 'double', 'none'));--> statement-breakpoint
ALTER TABLE "course_counts" ADD CONSTRAINT "course_counts_level_value" CHECK ("course_counts"."level" in ('beginner', 'intermediate', 'advanced'));--> statement-breakpoint
ALTER TABLE "course_staff" ADD CONSTRAINT "course_staff_role_value" CHECK ("course_staff"."role" in ('author', 'grader'));--> statement-breakpoint
ALTER TABLE "courses" ADD CONSTRAINT "courses_level_value" CHECK ("courses"."level" in ('beginner', 'intermediate', 'advanced'));--> statement-breakpoint
ALTER TABLE "lessons" ADD CONSTRAINT "lessons_type_value" CHECK ("lessons"."type" in ('video', 'text', 'quiz', 'document', 'interactive_coding', 'scenario', 'assignment'));--> statement-breakpoint
ALTER TABLE "lessons" ADD CONSTRAINT "lessons_coding_language_value" CHECK ("lessons"."coding_language" in ('javascript', 'python', 'html', 'css', 'react', 'typescript', 'sql'));--> statement-breakpoint
ALTER TABLE "lessons" ADD CONSTRAINT "lessons_difficulty_value" CHECK ("lessons"."difficulty" in ('beginner', 'intermediate', 'advanced'));--> statement-breakpoint
ALTER TABLE "publish_checks" ADD CONSTRAINT "publish_checks_status_value" CHECK ("publish_checks"."status" in ('waiting', 'running', 'done'));--> statement-breakpoint
ALTER TABLE "publish_runs" ADD CONSTRAINT "publish_runs_status_value" CHECK ("publish_runs"."status" in ('running', 'finished', 'abandoned'));--> statement-breakpoint
ALTER TABLE "videos" ADD CONSTRAINT "videos_status_value" CHECK ("videos"."status" in ('arriving', 'checking', 'converting', 'ready', 'failed'));--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_status_value" CHECK ("contact_messages"."status" in ('new', 'read', 'replied', 'spam'));--> statement-breakpoint
ALTER TABLE "enrollments" ADD CONSTRAINT "enrollments_status_value" CHECK ("enrollments"."status" in ('active', 'suspended', 'revoked'));--> statement-breakpoint
ALTER TABLE "enrollments" ADD CONSTRAINT "enrollments_skill_level_value" CHECK ("enrollments"."skill_level" in ('beginner', 'intermediate', 'advanced'));--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD CONSTRAINT "mail_outbox_status_value" CHECK ("mail_outbox"."status" in ('queued', 'sent', 'failed'));--> statement-breakpoint
ALTER TABLE "organisation_invitations" ADD CONSTRAINT "organisation_invitations_role_value" CHECK ("organisation_invitations"."role" in ('owner', 'manager'));--> statement-breakpoint
ALTER TABLE "organisation_members" ADD CONSTRAINT "organisation_members_role_value" CHECK ("organisation_members"."role" in ('owner', 'manager'));--> statement-breakpoint
ALTER TABLE "code_submissions" ADD CONSTRAINT "code_submissions_language_value" CHECK ("code_submissions"."language" in ('javascript', 'python', 'html', 'css', 'react', 'typescript', 'sql'));--> statement-breakpoint
ALTER TABLE "code_submissions" ADD CONSTRAINT "code_submissions_verdict_value" CHECK ("code_submissions"."verdict" in ('pass', 'wrong_answer', 'runtime_error', 'syntax_error', 'time_limit', 'memory_limit', 'output_limit'));--> statement-breakpoint
ALTER TABLE "scenario_progress" ADD CONSTRAINT "scenario_progress_time_value" CHECK ("scenario_progress"."time" in ('usual', 'half_more', 'double', 'none'));--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_scenario_type_value" CHECK ("scenarios"."scenario_type" in ('debugging', 'project_building', 'problem_solving', 'others'));--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_difficulty_value" CHECK ("scenarios"."difficulty" in ('beginner', 'intermediate', 'advanced'));--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_kind_value" CHECK ("coupons"."kind" in ('fixed', 'percent'));--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_status_value" CHECK ("disputes"."status" in ('open', 'won', 'lost'));--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account_value" CHECK ("ledger_entries"."account" in ('provider_clearing', 'course_revenue', 'refunds_paid', 'disputes_held', 'tax_payable', 'receivables', 'bank'));--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_from_status_value" CHECK ("order_events"."from_status" in ('pending', 'processing', 'completed', 'failed', 'expired', 'partially_refunded', 'refunded', 'disputed'));--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_to_status_value" CHECK ("order_events"."to_status" in ('pending', 'processing', 'completed', 'failed', 'expired', 'partially_refunded', 'refunded', 'disputed'));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_status_value" CHECK ("orders"."status" in ('pending', 'processing', 'completed', 'failed', 'expired', 'partially_refunded', 'refunded', 'disputed'));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_status_value" CHECK ("refunds"."status" in ('pending', 'succeeded', 'failed', 'canceled'));--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_state_value" CHECK ("withdrawals"."state" in ('granted', 'open', 'accepted', 'declined'));--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_status_value" CHECK ("webhook_deliveries"."status" in ('queued', 'delivered', 'failed'));--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_kinds_value" CHECK ("webhook_endpoints"."kinds" <@ array['enrolled', 'completed', 'certificate', 'order', 'refund', 'seat', 'test']);--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_kind_value" CHECK ("webhook_events"."kind" in ('enrolled', 'completed', 'certificate', 'order', 'refund', 'seat', 'test'));--> statement-breakpoint
SET CONSTRAINTS ALL DEFERRED;
