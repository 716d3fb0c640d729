-- An order only moves along the states of decision 19; anything else is a fault in the program and is refused. A refund
-- that the provider took back returns its order to the state before it.
CREATE FUNCTION guard_order_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = OLD.status THEN
    RETURN NEW;
  END IF;
  IF NOT (CASE OLD.status
    WHEN 'pending' THEN NEW.status IN ('processing', 'completed', 'failed', 'expired')
    WHEN 'processing' THEN NEW.status IN ('completed', 'failed', 'expired')
    WHEN 'failed' THEN NEW.status IN ('completed')
    WHEN 'expired' THEN NEW.status IN ('completed')
    WHEN 'completed' THEN NEW.status IN ('partially_refunded', 'refunded', 'disputed')
    WHEN 'partially_refunded' THEN NEW.status IN ('completed', 'refunded', 'disputed')
    WHEN 'refunded' THEN NEW.status IN ('completed', 'partially_refunded') AND NEW.refunded_cents < OLD.refunded_cents
    WHEN 'disputed' THEN NEW.status IN ('completed', 'partially_refunded', 'refunded')
    ELSE false
  END) THEN
    RAISE EXCEPTION 'order % cannot go from % to %', OLD.id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_transition_guard BEFORE UPDATE OF status ON orders
  FOR EACH ROW EXECUTE FUNCTION guard_order_transition();
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows are never changed', TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER order_events_append_only BEFORE UPDATE ON order_events
  FOR EACH ROW WHEN (OLD.actor_id IS NOT DISTINCT FROM NEW.actor_id) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE FUNCTION guard_ledger_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount_cents) FROM ledger_entries WHERE movement = NEW.movement) <> 0 THEN
    RAISE EXCEPTION 'the entries of ledger movement % do not add up to zero', NEW.movement USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_entries_balance AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION guard_ledger_balance();
