-- What was paid back stays in "refunds" and in the order's events. A withdrawal that nobody decided, or that was granted
-- and not paid back yet, becomes a mark on its order.
WITH "left" AS (
	SELECT DISTINCT w."order_id", 'the buyer withdrew from “' || i."title" || '” on ' || to_char(w."made_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD')
		|| CASE w."state" WHEN 'open' THEN ', and nobody has decided it: ' || CASE w."doubt"
			WHEN 'organisation' THEN 'an organisation bought it'
			WHEN 'late' THEN 'it came after 14 days'
			WHEN 'disputed' THEN 'the payment was disputed'
			WHEN 'partly_refunded' THEN 'a part of the price was paid back before'
			ELSE 'the buyer had agreed to lose the right by beginning the course' END
		ELSE ', which was granted and is not paid back yet' END AS "text"
	FROM "withdrawals" w JOIN "order_items" i ON i."id" = w."order_item_id"
	WHERE w."state" = 'open' OR (w."state" <> 'declined' AND i."refunded_at" IS NULL
		AND NOT EXISTS (SELECT FROM "refunds" r WHERE r."order_item_id" = w."order_item_id"))
), "marked" AS (
	INSERT INTO "order_flags" ("order_id", "kind", "subject") SELECT "order_id", 'other', "text" FROM "left" RETURNING "order_id", "subject"
)
INSERT INTO "order_events" ("order_id", "type", "source", "details")
SELECT "order_id", 'flagged', 'system', jsonb_build_object('flag', "subject") FROM "marked";--> statement-breakpoint
-- Mails to links that open nothing any more; whose receipts the others were, no row says any more.
DELETE FROM "mail_outbox" WHERE "template" IN ('withdrawal', 'withdrawal-declined', 'withdrawal-link') AND "status" <> 'queued';--> statement-breakpoint
-- Drops the mailed links to withdraw.
-- unused since 0.1.0
DROP TABLE "withdrawal_tokens";--> statement-breakpoint
-- Drops the withdrawals, with the name, address and country that each stated.
-- unused since 0.1.0
DROP TABLE "withdrawals";--> statement-breakpoint
-- Drops the secret by which a receipt withdrew.
-- unused since 0.1.0
ALTER TABLE "orders" DROP CONSTRAINT "orders_withdrawalReference_unique";--> statement-breakpoint
-- unused since 0.1.0
ALTER TABLE "orders" DROP COLUMN "withdrawal_reference";--> statement-breakpoint
-- Drops what buyers ticked about the right of withdrawal before they paid.
-- unused since 0.1.0
ALTER TABLE "orders" DROP COLUMN "consents";
