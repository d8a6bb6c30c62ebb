# sweep.mk - a sweep in parts under make: each part is a target of its own, and runs again only when the sweep changed.
#
#     make -f sweep.mk -j2
#     make -f sweep.mk -j8 PARTS=32 SWEEP=mine.yaml OUT=out/mine
SPAR = spar
SWEEP = sweep.yaml
OUT = out/sweep
PARTS = 4

parts = $(patsubst %,$(OUT)/part-%,$(shell seq $(PARTS)))

# command.txt says whose results are there; those of a sweep that changed are replaced.
$(OUT)/report.json: $(parts)
	rm -f $(OUT)/command.txt
	$(SPAR) merge $(parts) --out $(OUT) --json >$@.new
	mv $@.new $@

# A part that failed keeps its cells, so that the next make goes on with it. One whose sweep changed starts afresh.
$(parts): $(OUT)/part-%: $(SWEEP)
	@if [ -e $@/done ]; then rm -r $@; fi
	$(SPAR) run $(SWEEP) --threads 1 --part $*/$(PARTS) --out $@
	touch $@/done $@
